import * as strings from '#strings/second-factor';
import { Field } from '../ui/field.tsx';

interface CodeFieldProps {
  name: string;
  label?: string;
  hint?: string;
  autoFocus?: boolean;
}

/** Has no maximum length, which would cut off a pasted code with spaces. */
export function TotpCodeField({ name, label, hint, autoFocus = false }: CodeFieldProps) {
  return (
    <Field label={label ?? strings.code} name={name} hint={hint}>
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          required
          autoFocus={autoFocus}
          className="field font-mono tracking-widest"
        />
      )}
    </Field>
  );
}

/** Also accepts a code of the app, where `hint` says so. */
export function RecoveryCodeField({ name, label, hint, autoFocus = false }: CodeFieldProps) {
  return (
    <Field label={label ?? strings.recoveryCode} name={name} hint={hint}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          autoFocus={autoFocus}
          className="field font-mono"
        />
      )}
    </Field>
  );
}
