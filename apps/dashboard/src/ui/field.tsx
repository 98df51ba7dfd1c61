import { type ReactNode, useId } from 'react';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  className?: string;
  /** Gets what ties the control to its label, hint and error. */
  children(control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }): ReactNode;
}

/** A label, its control, and below it the hint or what is wrong. */
export function Field({ label, hint, error, className = '', children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium text-soft">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note == null ? undefined : `${id}-note`,
        'aria-invalid': error != null,
      })}
      {note != null && (
        <p
          id={`${id}-note`}
          className={`mt-1 text-[0.8125rem] ${error == null ? 'text-faint' : 'text-bad'}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}
