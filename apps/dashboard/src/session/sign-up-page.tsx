import { Link } from '@tanstack/react-router';
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
    <SessionFrame title="Create an account">
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
        action="Create account"
        pending="Creating…"
      >
        {invite !== null && (
          <Notice tone="info">
            You have been invited to a workspace. Use the email address that the invitation is for.
          </Notice>
        )}
        <Field label="Name" name="name">
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
        <PasswordField
          kind="new"
          hint="At least 12 characters. A sentence is easier to remember."
        />
      </SessionForm>
      <p className="mt-5 text-center text-soft">
        Have an account?{' '}
        <Link
          to="/sign-in"
          {...(invite !== null && { hash: inviteHash(invite) })}
          className="font-medium text-accent underline underline-offset-2"
        >
          Sign in
        </Link>
      </p>
    </SessionFrame>
  );
}
