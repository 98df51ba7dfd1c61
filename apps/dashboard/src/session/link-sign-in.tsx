import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as strings from '#strings/session';
import { useDependencies } from '../api/api-context.tsx';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/notice.tsx';

/** Signs in with a link of the operator. Opening it changes nothing, because other programs open links too. */
export function LinkSignIn({ token }: { token: string }) {
  const { api, session, drafts } = useDependencies();
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: () =>
      api.request('POST /api/ui/sign-in-links/{signInToken}', { params: { signInToken: token } }),
    onSuccess: async ({ token: sessionToken, user }) => {
      drafts.open(user.id);
      session.begin(sessionToken, { stays: false });
      await navigate({ to: '/', replace: true });
    },
  });
  return (
    <div className="space-y-4">
      <p className="text-soft">{strings.linkFromOperator}</p>
      <FailureNotice error={begin.error} />
      <Button
        kind="primary"
        className="w-full justify-center"
        isBusy={begin.isPending}
        onClick={() => begin.mutate()}
      >
        {strings.signIn}
      </Button>
    </div>
  );
}
