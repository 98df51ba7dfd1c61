import { type ReactNode, use, useEffect, useId } from 'react';
import { FormContext } from './form-context.ts';

export interface FieldProps {
  label: string;
  /** The name of the API parameter. The form uses it to show an API error at its field. */
  name?: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  className?: string;
  /** Receives the attributes that connect the control with its label, hint and error. */
  children(control: {
    id: string;
    name: string | undefined;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }): ReactNode;
}

/** A control with its label, and its hint or error below. */
export function Field({ label, name, hint, error, className = '', children }: FieldProps) {
  const id = useId();
  const form = use(FormContext);
  const register = form?.register;
  useEffect(() => (name === undefined ? undefined : register?.(name)), [name, register]);
  const message = error ?? (name === undefined ? null : form?.errors[name]);
  const note = message ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium text-soft">
        {label}
      </label>
      {children({
        id,
        name,
        'aria-describedby': note == null ? undefined : `${id}-note`,
        'aria-invalid': message != null,
      })}
      {note != null && (
        <p
          id={`${id}-note`}
          role={message == null ? undefined : 'alert'}
          className={`mt-1 text-[0.8125rem] ${message == null ? 'text-faint' : 'text-bad'}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}
