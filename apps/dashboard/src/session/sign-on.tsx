import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import * as strings from '#strings/session';
import { useApi, useDependencies } from '../api/api-context.tsx';
import { signUpStateQuery } from '../api/workspace-queries.ts';
import { BASE_PATH, storageKey } from '../base-path.ts';
import { buttonClass } from '../ui/button.tsx';
import { lazyPage } from '../ui/lazy-view.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { inviteHash } from './invite-token.ts';
import { useSignOnResult } from './use-sign-on-result.ts';

/** The invitation that a visitor accepts after the sign-in at the identity provider. */
const INVITE = storageKey('switchboard.invite');

/** Whether the address continues a sign-in, also for a user who is signed in already. */
export const continuesSignIn = (hash: string): boolean =>
  /(^|&)(sso=finish|link=)/.test(hash.replace(/^#/, ''));

const LoadedFailure = lazyPage(() =>
  import('./sign-on-failure.tsx').then((module) => module.SignOnFailure),
);

/** Explains why a sign-in at the identity provider failed. */
export function SignOnFailure() {
  return useSignOnResult().errorCode === null ? null : <LoadedFailure />;
}

/** The button that leads to the identity provider, if there is one. */
export function SignOnButton({ next, invite }: { next: string; invite: string | null }) {
  const { data } = useQuery(signUpStateQuery(useApi()));
  if (data?.single_sign_on == null) return null;
  const query = next === '/' ? '' : `?return_to=${encodeURIComponent(next)}`;
  return (
    <div className="space-y-4">
      <a
        href={`${BASE_PATH}/api/ui/oidc/start${query}`}
        className={`${buttonClass({ kind: data.passwords ? 'plain' : 'primary' })} w-full justify-center`}
        onClick={() => {
          if (invite === null) sessionStorage.removeItem(INVITE);
          else sessionStorage.setItem(INVITE, invite);
        }}
      >
        {strings.signInWith(data.single_sign_on.name)}
      </a>
      {data.passwords && (
        <p className="text-center text-[0.8125rem] text-faint">{strings.orWithPassword}</p>
      )}
    </div>
  );
}

/** Exchanges what the identity provider's callback has left in the browser for a session. */
export function FinishSignOn({ next }: { next: string }) {
  const { api, session, drafts } = useDependencies();
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    mutationFn: () => api.request('POST /api/ui/oidc/sessions'),
    onSuccess: async ({ token, user }) => {
      drafts.open(user.id);
      session.begin(token, { stays: false });
      const invite = sessionStorage.getItem(INVITE);
      sessionStorage.removeItem(INVITE);
      const href = invite === null ? next : `${BASE_PATH}/invite#${inviteHash(invite)}`;
      await navigate({ href, replace: true });
    },
  });
  useEffect(() => mutate(), [mutate]);
  return error === null ? (
    <p className="text-soft" role="status">
      {strings.signingIn}
    </p>
  ) : (
    <FailureNotice error={error} />
  );
}
