import { Link } from '@tanstack/react-router';
import * as strings from '#strings/session';
import { EmailField, PasswordField } from '../ui/credential-fields.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { inviteHash, useInviteToken } from './invite-token.ts';
import { SessionForm } from './session-form.tsx';
import { SessionFrame } from './session-frame.tsx';

/** The server decides who may sign up: the first user, invited users, or everyone. */
export function SignUpPage() {
  const invite = useInviteToken();
  return (
    <SessionFrame title={strings.createAnAccount}>
      <SessionForm
        start={(api, read, choice) =>
          api.request('POST /api/ui/users', {
            body: {
              name: read('name'),
              email: read('email'),
              password: read('password'),
              ...choice,
              ...(invite !== null && { invite_token: invite }),
            },
          })
        }
        next="/"
        action={strings.createAccount}
        pending={strings.creating}
      >
        {invite !== null && <Notice tone="info">{strings.signUpToAccept}</Notice>}
        <Field label={strings.name} name="name">
          {(control) => (
            <input
              {...control}
              dir="auto"
              autoComplete="name"
              required
              maxLength={100}
              className="field"
            />
          )}
        </Field>
        <EmailField />
        <PasswordField kind="new" hint={strings.passwordHint} />
      </SessionForm>
      <p className="mt-5 text-center text-soft">
        {strings.haveAccount((text) => (
          <Link
            to="/sign-in"
            {...(invite !== null && { hash: inviteHash(invite) })}
            className="font-medium text-accent underline underline-offset-2"
          >
            {text}
          </Link>
        ))}
      </p>
    </SessionFrame>
  );
}
