import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/session';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { useLinkToken } from './link-token.ts';
import { SessionFrame } from './session-frame.tsx';

/** The target of the link in a mail. Opening it changes nothing, because programs open the links of mails too. */
export function ConfirmEmailPage() {
  const api = useApi();
  const client = useQueryClient();
  const token = useLinkToken();
  const confirm = useMutation({
    mutationFn: () =>
      api.request('POST /api/ui/email-verifications/{emailToken}', {
        params: { emailToken: token ?? '' },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.me }),
  });
  return (
    <SessionFrame title={strings.confirmEmail}>
      <div className="space-y-4">
        {confirm.isSuccess ? (
          <Notice tone="good">{strings.emailConfirmed}</Notice>
        ) : token === null ? (
          <Notice tone="bad">{strings.incompleteLink}</Notice>
        ) : (
          <>
            <p className="text-soft">{strings.confirmEmailAbout}</p>
            <FailureNotice error={confirm.error} />
            <Button
              kind="primary"
              className="w-full justify-center"
              disabled={confirm.isPending}
              onClick={() => confirm.mutate()}
            >
              {strings.confirmThisAddress}
            </Button>
          </>
        )}
        <Link to="/" className={`${buttonClass()} w-full justify-center`}>
          {strings.openSwitchboard}
        </Link>
      </div>
    </SessionFrame>
  );
}
