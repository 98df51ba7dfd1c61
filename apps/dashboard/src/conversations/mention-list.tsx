import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Note } from '@switchboard/contracts';
import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { meQuery } from '../api/workspace-queries.ts';
import { useContactName } from '../contacts/contact-context.tsx';
import { useInboxFrame } from '../live/live-context.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { AtSign } from '../ui/icons.ts';
import { MentionText } from './mention-text.tsx';
import { EmptyState, LoadFailure, Skeleton } from '../ui/notice.tsx';

const PAGE_SIZE = 50;

/** The notes that mention the user, newest first, each with a link to its conversation. */
export function MentionList(props: { workspaceId: string; openNumber: string | undefined }) {
  const { workspaceId, openNumber } = props;
  const api = useApi();
  const client = useQueryClient();
  const queryKey = queryKeys.mentions(workspaceId);
  const { data: me } = useQuery(meQuery(api));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam }) =>
        api.request('GET /api/ui/workspaces/{workspaceId}/mentions', {
          params: { workspaceId },
          query: { page: pageParam, limit: PAGE_SIZE },
        }),
      initialPageParam: 1,
      getNextPageParam: ({ pagination }) =>
        pagination.hasNext ? pagination.currentPage + 1 : undefined,
      staleTime: 0,
    },
  );
  useInboxFrame((frame) => {
    if (!('note' in frame)) return;
    const isForUser = frame.note.mentions.some(({ id }) => id === me?.user.id);
    // A note that was removed or edited may have mentioned the user before.
    if (isForUser || frame.type === 'note.updated') {
      void client.invalidateQueries({ queryKey });
    }
  });

  if (data === undefined) {
    return error === null ? (
      <div className="p-3">
        <Skeleton lines={6} height="h-14" />
      </div>
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    );
  }
  const notes = data.pages.flatMap((page) => page.data);
  if (notes.length === 0) {
    return (
      <EmptyState icon={<AtSign size={20} aria-hidden />} title={strings.noMentions}>
        {strings.noMentionsHint}
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label={strings.mentions} className="divide-y divide-line">
        {notes.map((note) => (
          <Mention
            key={note.id}
            workspaceId={workspaceId}
            note={note}
            isOpen={note.number === openNumber}
          />
        ))}
      </ul>
      {hasNextPage && (
        <div className="p-3 text-center">
          <Button size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? actions.loading : actions.showMore}
          </Button>
        </div>
      )}
    </>
  );
}

function Mention(props: { workspaceId: string; note: Note; isOpen: boolean }) {
  const { workspaceId, note, isOpen } = props;
  const { number, author, created_at } = note;
  const name = useContactName(number) ?? formatPhone(number);
  return (
    <li data-mention={note.id}>
      <Link
        to="/w/$workspaceId/conversations/$number"
        params={{ workspaceId, number }}
        className={`block px-4 py-2.5 ${isOpen ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
      >
        <span className="flex items-baseline justify-between gap-3">
          <bdi className="min-w-0 truncate font-medium">{name}</bdi>
          <Time at={created_at} className="shrink-0 text-xs text-faint" />
        </span>
        <span
          dir="auto"
          className="line-clamp-2 text-[0.8125rem] [overflow-wrap:anywhere] text-soft"
        >
          <MentionText note={note} isLinked={false} />
        </span>
        <span className="block truncate text-xs text-faint">
          <bdi>{author?.name ?? names.formerMember}</bdi>
        </span>
      </Link>
    </li>
  );
}
