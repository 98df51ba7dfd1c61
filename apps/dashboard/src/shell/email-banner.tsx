import { useMutation, useQuery } from '@tanstack/react-query';
import * as strings from '#strings/shell';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';

/** Shown until the user has confirmed their address, where the service can send a link. */
export function EmailBanner() {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const send = useMutation({
    mutationFn: (email: string) =>
      api.request('POST /api/ui/email-verifications', { body: { email } }),
  });
  if (me === undefined || !me.sends_mail || me.email_confirmed || me.pending_email !== null) {
    return null;
  }
  const { email } = me.user;
  return (
    <aside
      aria-label={strings.confirmYourEmail}
      className="flex shrink-0 flex-wrap items-center justify-center gap-2 border-b border-line bg-sunken px-3 py-1 text-xs text-soft short:group-has-data-thread/shell:hidden"
    >
      <p className="min-w-0 [overflow-wrap:anywhere]" role="status">
        {send.isSuccess ? strings.confirmationSent(email) : strings.confirmEmailOf(email)}
      </p>
      {!send.isSuccess && (
        <button
          type="button"
          disabled={send.isPending}
          onClick={() => send.mutate(email)}
          className="shrink-0 font-medium text-accent underline underline-offset-2"
        >
          {strings.sendLinkAgain}
        </button>
      )}
    </aside>
  );
}
