import { type ReactNode, use, useEffect, useId } from 'react';
import { FormContext } from './form-context.ts';

export interface FieldProps {
  label: string;
  /** The API's name of what the field holds: by it the form finds the field that is wrong. */
  name?: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  className?: string;
  /** Gets what ties the control to its form, label, hint and error. */
  children(control: {
    id: string;
    name: string | undefined;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }): ReactNode;
}

/** A label, its control, and below it the hint or what is wrong. */
export function Field({ label, name, hint, error, className = '', children }: FieldProps) {
  const id = useId();
  const form = use(FormContext);
  const register = form?.register;
  useEffect(() => (name === undefined ? undefined : register?.(name)), [name, register]);
  const fault = error ?? (name === undefined ? null : form?.faults[name]);
  const note = fault ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium text-soft">
        {label}
      </label>
      {children({
        id,
        name,
        'aria-describedby': note == null ? undefined : `${id}-note`,
        'aria-invalid': fault != null,
      })}
      {note != null && (
        <p
          id={`${id}-note`}
          role={fault == null ? undefined : 'alert'}
          className={`mt-1 text-[0.8125rem] ${fault == null ? 'text-faint' : 'text-bad'}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}
