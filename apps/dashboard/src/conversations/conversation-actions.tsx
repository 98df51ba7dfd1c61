import type { Conversation } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { membersQuery } from '../api/workspace-queries.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import type { useConversation } from './use-conversation.ts';

/** Assigns the conversation, and closes or reopens it. */
export function ConversationActions(props: {
  workspaceId: string;
  conversation: Conversation;
  change: ReturnType<typeof useConversation>['change'];
}) {
  const { workspaceId, conversation, change } = props;
  const { assignee, state } = conversation;
  const { data } = useQuery(membersQuery(useApi(), workspaceId));
  const members = data?.data ?? [];
  const isListed = members.some(({ user_id }) => user_id === assignee?.id);
  const isClosed = state === 'closed';
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-1.5 md:px-5">
      <select
        aria-label="Assigned to"
        className="field h-8 min-h-8 w-auto max-w-44 py-0.5 text-[0.8125rem]"
        value={assignee?.id ?? ''}
        disabled={change.isPending}
        onChange={({ target }) => change.mutate({ assignee_id: target.value || null })}
      >
        <option value="">Unassigned</option>
        {assignee !== null && !isListed && <option value={assignee.id}>{assignee.name}</option>}
        {members.map(({ user_id, name }) => (
          <option key={user_id} value={user_id}>
            {name}
          </option>
        ))}
      </select>
      <Button
        size="small"
        disabled={change.isPending}
        onClick={() => change.mutate({ state: isClosed ? 'open' : 'closed' })}
      >
        {isClosed ? 'Reopen' : 'Close'}
      </Button>
      {isClosed && (
        <span className="text-[0.8125rem] text-faint">A message from this number reopens it.</span>
      )}
      <div className="basis-full empty:hidden">
        <FailureNotice error={change.error} />
      </div>
    </div>
  );
}
