import { Field } from './field.tsx';

// Named and marked so that password managers know them.

export function EmailField(props: { autoFocus?: boolean; isOfAnother?: boolean }) {
  const { autoFocus = false, isOfAnother = false } = props;
  return (
    <Field label="Email" name="email">
      {(control) => (
        <input
          {...control}
          type="email"
          autoComplete={isOfAnother ? 'off' : 'username'}
          required
          autoFocus={autoFocus}
          className="field"
        />
      )}
    </Field>
  );
}

export function PasswordField(props: {
  label?: string;
  name?: string;
  /** One that is there already, or one that is being chosen. */
  kind: 'current' | 'new';
  hint?: string;
}) {
  const { label = 'Password', name = 'password', kind, hint } = props;
  return (
    <Field label={label} name={name} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete={`${kind}-password`}
          required
          className="field"
        />
      )}
    </Field>
  );
}
