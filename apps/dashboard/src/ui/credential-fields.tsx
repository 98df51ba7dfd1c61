import * as strings from '#strings/ui';

import { Field } from './field.tsx';

// The names and `autocomplete` values let password managers recognize the fields.

export function EmailField(props: { autoFocus?: boolean; isForOtherUser?: boolean }) {
  const { autoFocus = false, isForOtherUser = false } = props;
  return (
    <Field label={strings.email} name="email">
      {(control) => (
        <input
          {...control}
          type="email"
          autoComplete={isForOtherUser ? 'off' : 'username'}
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
  /** Whether the user enters an existing password or chooses a new one. */
  kind: 'current' | 'new';
  hint?: string;
}) {
  const { label = strings.password, name = 'password', kind, hint } = props;
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
