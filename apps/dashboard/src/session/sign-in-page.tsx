import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import * as strings from '#strings/session';
import { useApi } from '../api/api-context.tsx';
import { signUpStateQuery } from '../api/workspace-queries.ts';
import { useInviteToken } from './invite-token.ts';
import { LinkSignIn } from './link-sign-in.tsx';
import { PasswordSignIn } from './password-sign-in.tsx';
import { SessionFrame } from './session-frame.tsx';
import { FinishSignOn, SignOnButton, SignOnFailure } from './sign-on.tsx';
import { useSignOnResult } from './use-sign-on-result.ts';

export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const { data } = useQuery(signUpStateQuery(useApi()));
  const { isFinished } = useSignOnResult();
  const hash = new URLSearchParams(useLocation({ select: (location) => location.hash }));
  const link = hash.get('link');
  const invite = useInviteToken();
  const signOn = (
    <>
      <SignOnFailure />
      <SignOnButton next={next} invite={invite} />
    </>
  );
  if (link === null && !isFinished && data?.passwords !== false) {
    return <PasswordSignIn next={next}>{signOn}</PasswordSignIn>;
  }
  return (
    <SessionFrame title={strings.signIn}>
      {link !== null ? (
        <LinkSignIn token={link} />
      ) : isFinished ? (
        <FinishSignOn next={next} />
      ) : (
        <div className="space-y-4">{signOn}</div>
      )}
    </SessionFrame>
  );
}
