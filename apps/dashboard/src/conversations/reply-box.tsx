import { BODY_MAX_CHARACTERS, type Me, type Message, preferGsm7 } from '@switchboard/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { numberQuery } from '../api/workspace-queries.ts';
import { ScheduleField } from '../compose/schedule-field.tsx';
import { SegmentMeter } from '../compose/segment-meter.tsx';
import { useSendMessage } from '../compose/use-send-message.ts';
import { AttachButton } from '../media/attach-button.tsx';
import { AttachmentList } from '../media/attachment-list.tsx';
import { pasteFiles, useFileDrop } from '../media/use-file-drop.ts';
import { Button } from '../ui/button.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { Form } from '../ui/form.tsx';
import { CalendarClock, SendHorizontal, Zap } from '../ui/icons.ts';
import { toLocalTime } from '../ui/local-time.ts';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { ChoiceList } from '../ui/choice-list.tsx';
import { readKey } from '../ui/read-key.ts';
import { describeChoice } from '../ui/use-choice.ts';
import { useUnsentWarning } from '../ui/use-unsent-warning.ts';
import { draftNames } from './draft-names.ts';
import { type ThreadPages, joinThread } from './thread-cache.ts';
import { useSavedReplies } from './use-saved-replies.ts';
import { useAttachmentDraft } from './use-attachment-draft.ts';
import { useTextDraft } from './use-text-draft.ts';

/** Replies from the number that received the last message, if the workspace still has it. */
export function ReplyBox(props: {
  workspaceId: string;
  number: string;
  /** Null if there is none, undefined while the messages are loaded. */
  last: Message | null | undefined;
  /** Returns `last` when the messages are loaded. Throws if they can't be loaded. */
  loadLast(): Promise<Message | null>;
  isOptedOut: boolean;
  /** Called when the user types, or has removed or sent the text. */
  onTyping(isTyping: boolean): void;
  onSent(): void;
}) {
  const { workspaceId, number, last, loadLast, isOptedOut, onTyping, onSent } = props;
  const api = useApi();
  const client = useQueryClient();
  const { body, read, write, restore } = useTextDraft(draftNames.reply(workspaceId, number));
  const attachments = useAttachmentDraft(workspaceId, draftNames.files(workspaceId, number));
  const isDragging = useFileDrop(false, attachments.add);
  const sent = useRef(attachments.list);
  const lastBefore = useRef(last);
  /** Local time, as `toLocalTime` formats it. Empty means now. */
  const { body: scheduledAt, write: setScheduledAt } = useTextDraft(
    draftNames.schedule(workspaceId, number),
  );
  const used = usedNumber(last);
  const { data: found } = useQuery({
    ...numberQuery(api, workspaceId, used),
    enabled: used !== '',
  });
  const from = found?.data[0]?.number;
  const send = useSendMessage(workspaceId, {
    async findSender() {
      // The user may send before the messages are loaded.
      if (lastBefore.current === undefined) lastBefore.current = await loadLast();
      const ours = usedNumber(lastBefore.current);
      if (ours === '') return undefined;
      const sender = numberQuery(api, workspaceId, ours);
      return (await client.query({ ...sender, staleTime: 'static' })).data[0]?.number;
    },
    onError(request) {
      // The response was lost, and the user has gone on: before the next text, this one would be sent again.
      if (read() !== '' && isShown(request)) return false;
      restore(request.body);
      attachments.restore(request.media_urls ?? [], sent.current);
      const { scheduled_at: at } = request;
      if (at !== undefined) setScheduledAt(toLocalTime(Date.parse(at)));
      return true;
    },
  });

  /** Returns whether the thread shows a message of this user with the text that is newer than the request. */
  function isShown({ body: text }: { body: string }): boolean {
    const before = lastBefore.current;
    const thread = client.getQueryData<ThreadPages>(queryKeys.thread(workspaceId, number));
    const me = client.getQueryData<Me>(queryKeys.me)?.user.id;
    if (before === undefined || thread === undefined) return false;
    // The workspace may prefer GSM-7.
    const texts = [text, preferGsm7(text)];
    return joinThread(thread).some(
      (message) =>
        message.id > (before?.id ?? '') &&
        texts.includes(message.body) &&
        message.sent_by?.id === me,
    );
  }

  useUnsentWarning(attachments.uploads.length > 0);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const choice = useSavedReplies(workspaceId, body, write);
  const hasContent = body.trim() !== '' || attachments.list.length > 0;
  const isComplete =
    hasContent && attachments.uploads.length === 0 && body.length <= BODY_MAX_CHARACTERS;
  // A short code or a sender ID can send messages here, and receive none.
  const hasNumber = number.startsWith('+');
  const canSend = isComplete && !send.isPending && !isOptedOut && hasNumber;

  function submit(): void {
    if (!canSend) return;
    onSent();
    onTyping(false);
    // Text typed while the request is in flight belongs to the next reply.
    write('');
    lastBefore.current = last;
    sent.current = attachments.list;
    attachments.clear();
    attachments.clearProblems();
    setScheduledAt('');
    const media = sent.current.map(({ url }) => url);
    send.mutate({
      to: number,
      // Whitespace alone is not a text. Only a message with attachments may omit the text.
      body: body.trim() === '' ? '' : body,
      ...(media.length > 0 && { media_urls: media }),
      ...(scheduledAt !== '' && { scheduled_at: new Date(scheduledAt).toISOString() }),
    });
  }

  return (
    <Form error={send.error} onSubmit={submit}>
      {!hasNumber ? (
        <Notice tone="wait">{strings.noReplyPossible}</Notice>
      ) : isOptedOut ? (
        <Notice tone="wait">{strings.numberOptedOut}</Notice>
      ) : (
        <FailureNotice error={send.error} />
      )}
      <AttachmentList workspaceId={workspaceId} attachments={attachments} />
      <div
        className={`relative mt-2 flex items-end gap-2 rounded-lg first:mt-0 ${isDragging ? 'outline-2 outline-offset-2 outline-accent outline-dashed' : ''}`}
      >
        {choice.isOpen && (
          <ChoiceList
            choice={choice}
            empty={strings.noMatchingReply((text) => (
              <Link
                to="/w/$workspaceId/settings/$section"
                params={{ workspaceId, section: 'saved-replies' }}
                className="font-medium text-accent underline-offset-2 hover:underline"
              >
                {text}
              </Link>
            ))}
          />
        )}
        <textarea
          {...describeChoice(choice)}
          ref={textarea}
          aria-label={strings.reply}
          dir="auto"
          aria-describedby="reply-note"
          placeholder={from === undefined ? strings.reply : strings.replyFrom(formatPhone(from))}
          rows={2}
          className="field field-sizing-content max-h-40 min-h-14 resize-none short:max-h-[18cqh] short:min-h-9 leading-relaxed"
          value={body}
          onChange={({ target: { value } }) => {
            write(value);
            onTyping(value !== '');
          }}
          onPaste={(event) => pasteFiles(event, attachments.add)}
          onKeyDown={(event) => {
            if (choice.onKeyDown(event)) return;
            const key = readKey(event);
            if (key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }
            if (key === 'Escape') event.currentTarget.blur();
          }}
        />
        <AttachButton kind="quiet" size="icon" className="h-14 short:h-9" add={attachments.add} />
        <Button
          kind="quiet"
          size="icon"
          className="h-14 short:h-9"
          aria-label={strings.insertSavedReply}
          title={strings.insertSavedReplyHint}
          disabled={body !== '' && !choice.isOpen}
          onClick={() => {
            write('/');
            textarea.current?.focus();
          }}
        >
          <Zap size={17} aria-hidden />
        </Button>
        <Button
          type="submit"
          kind="primary"
          className="h-14 short:h-9"
          aria-label={scheduledAt === '' ? strings.sendReply : strings.scheduleReply}
          disabled={!canSend}
        >
          {scheduledAt === '' ? (
            <SendHorizontal size={17} aria-hidden />
          ) : (
            <CalendarClock size={17} aria-hidden />
          )}
        </Button>
      </div>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 short:mt-0">
        <div id="reply-note" className="min-h-5 text-[0.8125rem] text-faint">
          {isDragging ? (
            strings.dropFilesToAttachThem
          ) : body !== '' ? (
            <SegmentMeter
              workspaceId={workspaceId}
              body={body}
              hasMedia={attachments.list.length > 0}
              onReplace={write}
            />
          ) : send.isPending ? (
            actions.sending
          ) : (
            <span className="max-md:hidden">{strings.replyHint}</span>
          )}
        </div>
        <ScheduleField value={scheduledAt} onChange={setScheduledAt} />
      </div>
    </Form>
  );
}

/** Returns the number of the workspace that received or sent a message. */
const usedNumber = (message: Message | null | undefined): string =>
  (message?.direction === 'inbound' ? message.to : message?.from) ?? '';
