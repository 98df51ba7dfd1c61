import type { Conversation } from '@switchboard/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as strings from '#strings/conversations';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import type { useConversation } from './use-conversation.ts';

/** Asks whether a received sentence is an opt-out. One click opts the number out, another one dismisses the question. */
export function SuspectedOptOut(props: {
  workspaceId: string;
  conversation: Conversation;
  change: ReturnType<typeof useConversation>['change'];
}) {
  const { workspaceId, conversation, change } = props;
  const { number } = conversation;
  const api = useApi();
  const client = useQueryClient();
  const optOut = useMutation({
    mutationFn: () =>
      api.request('POST /api/ui/workspaces/{workspaceId}/opt-outs', {
        params: { workspaceId },
        body: { number },
      }),
    // The frame `conversation.updated` updates the lists.
    onSuccess: () =>
      client.invalidateQueries({ queryKey: queryKeys.conversation(workspaceId, number) }),
  });
  const isBusy = optOut.isPending || change.isPending;
  return (
    <div className="shrink-0 border-b border-line bg-surface px-4 py-2 md:px-5">
      <Notice tone="wait">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="min-w-0 flex-1 basis-60">{strings.optOutSuspected}</span>
          <span className="flex flex-wrap gap-2">
            <Button
              size="small"
              disabled={isBusy}
              isBusy={optOut.isPending}
              onClick={() => optOut.mutate()}
            >
              {strings.optOut}
            </Button>
            <Button
              size="small"
              kind="quiet"
              disabled={isBusy}
              onClick={() => change.mutate({ opt_out_suspected: false })}
            >
              {strings.noOptOut}
            </Button>
          </span>
        </div>
      </Notice>
      <FailureNotice error={optOut.error} />
    </div>
  );
}
