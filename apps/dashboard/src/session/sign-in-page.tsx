import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import * as strings from '#strings/session';
import { useApi } from '../api/api-context.tsx';
import { signUpStateQuery } from '../api/workspace-queries.ts';
import { EmailField, PasswordField } from '../ui/credential-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { inviteHash, useInviteToken } from './invite-token.ts';
import { SessionForm } from './session-form.tsx';
import { SessionFrame } from './session-frame.tsx';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const { data } = useQuery(signUpStateQuery(useApi()));
  const invite = useInviteToken();
  return (
    <SessionFrame title={strings.signIn}>
      <SessionForm
        start={(api, read, choice) =>
          api.request('POST /api/ui/sessions', {
            body: { email: read('email'), password: read('password'), ...choice },
          })
        }
        next={invite === null ? (next ?? '/') : `/invite#${inviteHash(invite)}`}
        action={strings.signIn}
        pending={strings.signingIn}
      >
        {invite !== null && <Notice tone="info">{strings.signInToAccept}</Notice>}
        <EmailField autoFocus />
        <PasswordField kind="current" />
      </SessionForm>
      <p className="mt-5 text-center">
        <Link to="/forgot-password" className="text-accent underline underline-offset-2">
          {strings.forgotPassword}
        </Link>
      </p>
      {(invite !== null || data?.sign_up === 'open') && (
        <p className="mt-5 text-center text-soft">
          {strings.newHere((text) => (
            <Link
              to="/sign-up"
              {...(invite !== null && { hash: inviteHash(invite) })}
              className="font-medium text-accent underline underline-offset-2"
            >
              {text}
            </Link>
          ))}
        </p>
      )}
    </SessionFrame>
  );
}
