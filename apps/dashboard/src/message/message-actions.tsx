import { type Message, type MessageWithEvents, readMediaReference } from '@switchboard/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import * as actions from '#strings/actions';
import * as strings from '#strings/message';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { useReplaceMessage } from '../compose/use-replace-message.ts';
import { counterpartOf } from '../conversations/conversation-cache.ts';
import { newerOf } from '../live/newer-of.ts';
import { formatPhone } from '../phone/format-phone.ts';
import { ConfirmButton } from '../settings/confirm-button.tsx';
import { type Compose, type Labels, useCompose } from '../shell/compose-context.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { formatFullTime } from '../ui/format.ts';
import { MessagesSquare, PenLine, RotateCcw } from '../ui/icons.ts';
import { toLocalTime } from '../ui/local-time.ts';

/** The actions for a message in its current state. */
export function MessageActions(props: { workspaceId: string; message: Message }) {
  const { workspaceId, message } = props;
  const counterpart = counterpartOf(message);
  const compose = useCompose();
  return (
    // Four buttons do not fit into one row.
    <div className="flex grid-cols-2 flex-wrap gap-2 has-[>:nth-child(4)]:grid has-[>:nth-child(4)]:*:justify-center">
      {compose !== null && (
        <>
          {message.status === 'scheduled' && <ChangeButton message={message} compose={compose} />}
          {message.scheduled_at !== null && <SendNowButton {...props} />}
          {isCancelable(message) && <CancelButton {...props} />}
          {isRepeatable(message) && <SendAgainButton message={message} compose={compose} />}
        </>
      )}
      {counterpart !== null && (
        <Link
          to="/w/$workspaceId/conversations/$number"
          params={{ workspaceId, number: counterpart }}
          className={buttonClass({ size: 'small' })}
        >
          <MessagesSquare size={14} aria-hidden />
          {strings.conversation}
        </Link>
      )}
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
    <ConfirmButton
      label={strings.cancelSending}
      title={strings.cancelThisMessage}
      onConfirm={() => cancel.mutateAsync()}
    >
      {strings.cancelExplained(formatPhone(message.to))}
    </ConfirmButton>
  );
}

/** Opens the composer with the content of a scheduled message. */
function ChangeButton({ message, compose }: { message: Message; compose: Compose }) {
  const scheduledAt = toLocalTime(Date.parse(message.scheduled_at ?? message.created_at));
  return (
    <Button
      size="small"
      onClick={() => compose({ ...contentOf(message), scheduledAt, replaces: message.id })}
    >
      <PenLine size={14} aria-hidden />
      {actions.change}
    </Button>
  );
}

function SendNowButton(props: { workspaceId: string; message: Message }) {
  const { workspaceId, message } = props;
  const navigate = useNavigate();
  const replace = useReplaceMessage(workspaceId, message.id);
  const { to, from, body, media } = message;
  const request = {
    to,
    body,
    // The text is what the first message was to send.
    encoding: 'as_is' as const,
    ...(from && { from }),
    ...(media.length > 0 && { media_urls: media.map(({ url }) => url) }),
    repeat_of: message.id,
    ...labelsOf(message),
  };
  return (
    <ConfirmButton
      label={strings.sendNow}
      title={strings.sendThisMessageNow}
      isHarmless
      // The dialog stays open while the message is canceled and its replacement is sent.
      isOffered={message.status === 'scheduled'}
      onConfirm={async () => {
        const { id } = await replace.mutateAsync(request);
        await navigate({
          to: '/w/$workspaceId/messages/$messageId',
          params: { workspaceId, messageId: id },
          search: true,
        });
      }}
    >
      {replace.isCanceled
        ? strings.canceledAndNotReplaced
        : strings.sendNowExplained({
            time: formatFullTime(message.scheduled_at ?? message.created_at),
            number: formatPhone(message.to),
          })}
    </ConfirmButton>
  );
}

/** Opens the composer with the content of a message that was not sent or not delivered. */
function SendAgainButton({ message, compose }: { message: Message; compose: Compose }) {
  return (
    <Button size="small" onClick={() => compose(contentOf(message))}>
      <RotateCcw size={14} aria-hidden />
      {actions.sendAgain}
    </Button>
  );
}

/** The reference and the metadata, which a new message to the same person keeps. */
function labelsOf({ reference, metadata }: Message): Labels {
  return {
    ...(reference !== null && { reference }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function contentOf(message: Message) {
  const { id, to, from, body, media } = message;
  const isUploaded = ({ url }: Message['media'][number]) => readMediaReference(url) !== null;
  return {
    to,
    body,
    mediaUrls: media.filter((item) => !isUploaded(item)).map(({ url }) => url),
    attachments: media
      .filter(isUploaded)
      .map((item) => ({ url: item.url, name: '', contentType: item.content_type, size: null })),
    repeatOf: id,
    labels: labelsOf(message),
    ...(from && { from }),
  };
}

/** Only hides the button when the provider has the message. The server decides. */
function isCancelable({ direction, status, provider_sid }: Message): boolean {
  return (
    direction === 'outbound' &&
    provider_sid === null &&
    (status === 'scheduled' || status === 'queued')
  );
}

function isRepeatable({ direction, status }: Message): boolean {
  return direction === 'outbound' && ['failed', 'undelivered', 'canceled'].includes(status);
}
