import { Link } from '@tanstack/react-router';
import type { SavedReplyChoice } from './use-saved-replies.ts';

/** The saved replies that match the text after the slash. The focus stays in the text field. */
export function SavedReplyList(props: { workspaceId: string; choice: SavedReplyChoice }) {
  const { replies, isLoading, selected, listId, optionId, choose } = props.choice;
  return (
    <div className="absolute inset-x-0 bottom-full z-10 mb-1 max-h-72 overflow-y-auto rounded-lg border border-line bg-surface py-1 shadow-float">
      <div id={listId} role="listbox" aria-label="Saved replies">
        {replies.map((reply, index) => (
          <div
            key={reply.id}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            className="cursor-pointer px-3 py-1.5 aria-selected:bg-accent-soft"
            // A pointer down would take the focus from the text field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(reply)}
          >
            <bdi className="block truncate font-medium">{reply.name}</bdi>
            <span dir="auto" className="block truncate text-[0.8125rem] text-soft">
              {reply.body}
            </span>
          </div>
        ))}
      </div>
      {replies.length === 0 && (
        <p role="status" className="px-3 py-1.5 text-soft">
          {isLoading ? (
            'Loading…'
          ) : (
            <>
              No matching saved reply.{' '}
              <Link
                to="/w/$workspaceId/settings/$section"
                params={{ workspaceId: props.workspaceId, section: 'saved-replies' }}
                className="font-medium text-accent underline-offset-2 hover:underline"
              >
                Manage saved replies
              </Link>
            </>
          )}
        </p>
      )}
    </div>
  );
}
