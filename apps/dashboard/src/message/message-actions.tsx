import type { Message, MessageWithEvents } from '@switchboard/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { counterpartOf } from '../conversations/conversation-cache.ts';
import { newerOf } from '../live/newer-of.ts';
import { useCompose } from '../shell/compose-context.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { MessagesSquare, RotateCcw } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';

/** What a user can do with a message in its state. */
export function MessageActions(props: { workspaceId: string; message: Message }) {
  const { workspaceId, message } = props;
  const counterpart = counterpartOf(message);
  return (
    <div className="flex flex-wrap gap-2">
      {counterpart !== null && (
        <Link
          to="/w/$workspaceId/conversations/$number"
          params={{ workspaceId, number: counterpart }}
          className={buttonClass({ size: 'small' })}
        >
          <MessagesSquare size={14} aria-hidden />
          Conversation
        </Link>
      )}
      {isCancelable(message) && <CancelButton {...props} />}
      {isFailed(message) && <SendAgainButton message={message} />}
    </div>
  );
}

function CancelButton(props: { workspaceId: string; message: Message }) {
  const { workspaceId, message } = props;
  const api = useApi();
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () =>
      api.request('POST /api/ui/workspaces/{workspaceId}/messages/{messageId}/cancel', {
        params: { workspaceId, messageId: message.id },
      }),
    onSuccess: (canceled) => {
      const key = queryKeys.message(workspaceId, message.id);
      client.setQueryData<MessageWithEvents>(key, (cached) => cached && newerOf(cached, canceled));
    },
  });
  return (
    <>
      <Button
        size="small"
        kind="dangerQuiet"
        disabled={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        Cancel sending
      </Button>
      <div className="basis-full empty:hidden">
        <FailureNotice error={cancel.error} />
      </div>
    </>
  );
}

/** Opens the composer with the content of a message that was not delivered. */
function SendAgainButton({ message }: { message: Message }) {
  const compose = useCompose();
  const { id, to, from, body, media } = message;
  return (
    <Button
      size="small"
      onClick={() =>
        compose({
          to,
          body,
          mediaUrls: media.map(({ url }) => url),
          repeatOf: id,
          ...(from && { from }),
        })
      }
    >
      <RotateCcw size={14} aria-hidden />
      Send again
    </Button>
  );
}

/** Hides the button when the provider has the message. The server decides. */
function isCancelable({ direction, status, provider_sid }: Message): boolean {
  return (
    direction === 'outbound' &&
    provider_sid === null &&
    (status === 'scheduled' || status === 'queued')
  );
}

function isFailed({ direction, status }: Message): boolean {
  return direction === 'outbound' && (status === 'failed' || status === 'undelivered');
}
