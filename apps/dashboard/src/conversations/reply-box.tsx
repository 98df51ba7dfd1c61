import { BODY_MAX_CHARACTERS, type Message } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { numbersQuery } from '../api/workspace-queries.ts';
import { SegmentMeter } from '../compose/segment-meter.tsx';
import { useSendMessage } from '../compose/use-send-message.ts';
import { Button } from '../ui/button.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { SendHorizontal, Zap } from '../ui/icons.ts';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { ChoiceList } from './choice-list.tsx';
import { describeChoice } from './use-choice.ts';
import { useSavedReplies } from './use-saved-replies.ts';
import { useTextDraft } from './use-text-draft.ts';

/** Replies from the number that received the last message, if the workspace still has it. */
export function ReplyBox(props: {
  workspaceId: string;
  number: string;
  last: Message | undefined;
  isOptedOut: boolean;
  /** Called when the user types, or has removed or sent the text. */
  onTyping(isTyping: boolean): void;
  onSent(): void;
}) {
  const { workspaceId, number, last, isOptedOut, onTyping, onSent } = props;
  const api = useApi();
  const { body, write, restore } = useTextDraft(`reply ${workspaceId} ${number}`);
  const send = useSendMessage(workspaceId, { onError: (request) => restore(request.body) });
  const textarea = useRef<HTMLTextAreaElement>(null);
  const choice = useSavedReplies(workspaceId, body, write);
  const isComplete = body.trim() !== '' && body.length <= BODY_MAX_CHARACTERS;
  const canSend = isComplete && !send.isPending && !isOptedOut;
  const { data: numbers } = useQuery(numbersQuery(api, workspaceId));
  const used = last?.direction === 'inbound' ? last.to : last?.from;
  const from = numbers?.data.find((each) => each.number === used)?.number;

  function submit(): void {
    if (!canSend) return;
    onSent();
    onTyping(false);
    // Text typed while the request is in flight belongs to the next reply.
    write('');
    send.mutate({ to: number, body, ...(from !== undefined && { from }) });
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isOptedOut ? (
        <Notice tone="wait">
          This number has opted out, so you can’t reply. It can opt in again by sending START.
        </Notice>
      ) : (
        <FailureNotice error={send.error} />
      )}
      <div className="relative mt-2 flex items-end gap-2 first:mt-0">
        {choice.isOpen && (
          <ChoiceList
            choice={choice}
            empty={
              <>
                No matching saved reply.{' '}
                <Link
                  to="/w/$workspaceId/settings/$section"
                  params={{ workspaceId, section: 'saved-replies' }}
                  className="font-medium text-accent underline-offset-2 hover:underline"
                >
                  Manage saved replies
                </Link>
              </>
            }
          />
        )}
        <textarea
          {...describeChoice(choice)}
          ref={textarea}
          aria-label="Reply"
          dir="auto"
          aria-describedby="reply-note"
          placeholder={from === undefined ? 'Reply' : `Reply from ${formatPhone(from)}`}
          rows={2}
          className="field max-h-40 min-h-14 resize-none leading-relaxed"
          value={body}
          onChange={({ target: { value } }) => {
            write(value);
            onTyping(value !== '');
          }}
          onKeyDown={(event) => {
            if (choice.onKeyDown(event)) return;
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault();
              submit();
            }
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <Button
          kind="quiet"
          size="icon"
          className="h-14"
          aria-label="Insert a saved reply"
          title="Insert a saved reply: type /"
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
          className="h-14"
          aria-label="Send reply"
          disabled={!canSend}
        >
          <SendHorizontal size={17} aria-hidden />
        </Button>
      </div>
      <div id="reply-note" className="mt-1.5 min-h-5 text-[0.8125rem] text-faint">
        {body !== '' ? (
          <SegmentMeter body={body} />
        ) : send.isPending ? (
          'Sending…'
        ) : (
          'Enter sends. Shift+Enter starts a new line. / inserts a saved reply.'
        )}
      </div>
    </form>
  );
}
