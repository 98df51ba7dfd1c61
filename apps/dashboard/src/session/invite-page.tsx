import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import * as strings from '#strings/session';
import { useApi, useDependencies } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { meQuery, signUpStateQuery } from '../api/workspace-queries.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { inviteHash, useInviteToken } from './invite-token.ts';
import { SessionFrame } from './session-frame.tsx';
import { useSignOut } from './use-sign-out.ts';

/** The target of an invitation link. Visitors sign in or sign up before they can accept it. */
export function InvitePage() {
  const { session } = useDependencies();
  const isSignedIn = useSyncExternalStore(session.subscribe, session.read) !== null;
  const token = useInviteToken();
  return (
    <SessionFrame title={strings.joinWorkspace}>
      {token === null ? (
        <Notice tone="bad">{strings.noInvitation}</Notice>
      ) : isSignedIn ? (
        <AcceptInvite token={token} />
      ) : (
        <ChooseAccount token={token} />
      )}
    </SessionFrame>
  );
}

function ChooseAccount({ token }: { token: string }) {
  const { data } = useQuery(signUpStateQuery(useApi()));
  const layout = 'w-full justify-center';
  // A first single sign-on creates the account.
  const hasPasswords = data?.passwords !== false;
  return (
    <div className="space-y-3">
      <p className="text-soft">{hasPasswords ? strings.chooseAccount : strings.signInToJoin}</p>
      {hasPasswords && (
        <Link
          to="/sign-up"
          hash={inviteHash(token)}
          className={`${buttonClass({ kind: 'primary' })} ${layout}`}
        >
          {strings.createAnAccount}
        </Link>
      )}
      <Link to="/sign-in" hash={inviteHash(token)} className={`${buttonClass()} ${layout}`}>
        {strings.signIn}
      </Link>
    </div>
  );
}

function AcceptInvite({ token }: { token: string }) {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery(api));
  const { signOut, isPending: isSigningOut } = useSignOut();
  const accept = useMutation({
    mutationFn: () => api.request('POST /api/ui/invites/{token}/accept', { params: { token } }),
    onSuccess: async ({ workspace_id: workspaceId }) => {
      await client.invalidateQueries({ queryKey: queryKeys.me });
      await navigate({ to: '/w/$workspaceId/messages', params: { workspaceId }, replace: true });
    },
  });

  return (
    <div className="space-y-4">
      <p className="text-soft">
        {strings.signedInAs(
          <strong className="text-ink [overflow-wrap:anywhere]">{me?.user.email ?? '…'}</strong>,
        )}
      </p>
      <FailureNotice error={accept.error} />
      <Button
        kind="primary"
        className="w-full justify-center"
        disabled={accept.isPending}
        onClick={() => accept.mutate()}
      >
        {accept.isPending ? strings.joining : strings.acceptInvitation}
      </Button>
      <div className="flex justify-between gap-2">
        <Button kind="quiet" size="small" isBusy={isSigningOut} onClick={signOut}>
          {strings.useAnotherAccount}
        </Button>
        <Link to="/" className={buttonClass({ kind: 'quiet', size: 'small' })}>
          {strings.notNow}
        </Link>
      </div>
    </div>
  );
}
