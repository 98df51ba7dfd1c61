import { Outlet, useParams } from '@tanstack/react-router';
import * as strings from '#strings/conversations';
import * as names from '#strings/names';
import { useTitle } from '../ui/use-title.ts';
import { ConversationList } from './conversation-list.tsx';

/** The list of conversations, and on wide screens the open thread beside it. */
export function ConversationsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/conversations' });
  const { number } = useParams({ strict: false });
  useTitle(names.conversations);
  return (
    <div className="flex min-h-0 flex-1 print:block">
      <section
        aria-labelledby="conversations-title"
        className={`min-h-0 w-full flex-col border-line bg-surface lg:w-76 lg:border-r ${number === undefined ? 'flex' : 'hidden lg:flex print:hidden'}`}
      >
        <ConversationList workspaceId={workspaceId} openNumber={number} />
      </section>
      {number === undefined ? (
        <div className="hidden flex-1 place-items-center text-soft lg:grid">
          {strings.selectConversation}
        </div>
      ) : (
        <Outlet />
      )}
    </div>
  );
}
