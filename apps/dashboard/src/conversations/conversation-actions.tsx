import type { Conversation } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';
import { useApi } from '../api/api-context.tsx';
import { useRef } from 'react';
import { meQuery, membersQuery } from '../api/workspace-queries.ts';
import { useShortcutKey } from '../shell/shortcuts.ts';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { readKey } from '../ui/read-key.ts';
import type { useConversation } from './use-conversation.ts';
import type { usePrint } from './use-print.ts';
import { ErasePerson } from './erase-person.tsx';
import { IfMay, useMay } from '../session/use-may.tsx';

/** Assigns the conversation, and closes or reopens it. */
export function ConversationActions(props: {
  workspaceId: string;
  conversation: Conversation;
  change: ReturnType<typeof useConversation>['change'];
  markUnread: ReturnType<typeof useConversation>['markUnread'];
  printing: ReturnType<typeof usePrint>;
}) {
  const { workspaceId, conversation, change, markUnread, printing } = props;
  const { assignee, state } = conversation;
  const api = useApi();
  const { data } = useQuery(membersQuery(api, workspaceId));
  const ownId = useQuery(meQuery(api)).data?.user.id;
  const assigned = useRef<HTMLSelectElement>(null);
  const members = data?.data ?? [];
  const isListed = members.some(({ user_id }) => user_id === assignee?.id);
  const isClosed = state === 'closed';
  const isBusy = change.isPending || markUnread.isPending;
  // The choice is shown while its request is in flight.
  const chosen = change.isPending ? change.variables.assignee_id : undefined;
  const assigneeId = chosen === undefined ? assignee?.id : chosen;
  const toggleState = (): void => change.mutate({ state: isClosed ? 'open' : 'closed' });
  const mayChange = useMay('change');
  useShortcuts({
    assign() {
      if (isBusy || !mayChange) return;
      assigned.current?.focus();
      // Opens the list, because in a closed one each arrow key would change the value.
      assigned.current?.showPicker();
    },
    assignToMe() {
      if (mayChange && !isBusy && ownId !== undefined) change.mutate({ assignee_id: ownId });
    },
    toggleState() {
      if (mayChange && !isBusy) toggleState();
    },
    markUnread() {
      if (mayChange && !isBusy) markUnread.mutate();
    },
  });
  const keys = {
    assign: useShortcutKey('assign'),
    toggleState: useShortcutKey('toggleState'),
    markUnread: useShortcutKey('markUnread'),
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-1.5 print:hidden short:group-has-[textarea:focus]/thread:hidden tiny:hidden md:px-5">
      <select
        ref={assigned}
        aria-label={strings.assignedTo}
        aria-keyshortcuts={keys.assign}
        className="field h-8 min-h-8 w-auto max-w-44 py-0.5 text-[0.8125rem]"
        value={assigneeId ?? ''}
        disabled={isBusy || !mayChange}
        onChange={({ target }) => change.mutate({ assignee_id: target.value || null })}
        onKeyDown={(event) => {
          // Without the focus, keys are shortcuts again.
          if (readKey(event) === 'Escape') event.currentTarget.blur();
        }}
      >
        <option value="">{strings.unassigned}</option>
        {assignee !== null && !isListed && <option value={assignee.id}>{assignee.name}</option>}
        {members.map(({ user_id, name }) => (
          <option key={user_id} value={user_id}>
            {name}
          </option>
        ))}
      </select>
      <IfMay permission="change">
        <Button
          size="small"
          aria-keyshortcuts={keys.toggleState}
          disabled={isBusy}
          isBusy={change.isPending}
          onClick={toggleState}
        >
          {isClosed ? strings.reopen : actions.close}
        </Button>
        <Button
          size="small"
          kind="quiet"
          aria-keyshortcuts={keys.markUnread}
          disabled={isBusy}
          isBusy={markUnread.isPending}
          onClick={() => markUnread.mutate()}
        >
          {strings.markAsUnread}
        </Button>
      </IfMay>
      <Button
        size="small"
        kind="quiet"
        isBusy={printing.isPreparing}
        onClick={() => void printing.print()}
      >
        {strings.print}
      </Button>
      <IfMay permission="manage">
        <ErasePerson workspaceId={workspaceId} number={conversation.number} />
      </IfMay>
      {isClosed && <span className="text-[0.8125rem] text-faint">{strings.reopensOnMessage}</span>}
      <div className="basis-full empty:hidden">
        <FailureNotice error={change.error ?? markUnread.error ?? printing.error} />
      </div>
    </div>
  );
}
