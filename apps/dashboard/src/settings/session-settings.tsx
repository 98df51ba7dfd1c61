import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { Time } from '../ui/time.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { describeUserAgent } from './describe-user-agent.ts';
import { ListCard, ListRow, Section, Tag } from './section.tsx';

const PAGE_SIZE = 10;

/** Lists the user's sessions and ends them. */
export function SessionSettings() {
  const api = useApi();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const sessions = useQuery({
    queryKey: [...queryKeys.sessions, page],
    queryFn: () => api.request('GET /api/ui/sessions', { query: { page, limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.sessions });
  const end = useMutation({
    mutationFn: (sessionId: string) =>
      api.request('DELETE /api/ui/sessions/{sessionId}', { params: { sessionId } }),
    onSuccess,
  });
  const endOthers = useMutation({
    mutationFn: () => api.request('DELETE /api/ui/sessions'),
    onSuccess,
  });
  const hasOthers = (sessions.data?.pagination.totalItems ?? 0) > 1;

  return (
    <Section
      title="Sessions"
      about="The browsers and programs where you are signed in. A session ends after 7 days without use, or at the time shown."
      action={
        hasOthers && (
          <ConfirmButton
            label="End all others"
            title="End all your other sessions?"
            onConfirm={() => endOthers.mutateAsync()}
          >
            You stay signed in here. All other browsers and programs have to sign in again.
          </ConfirmButton>
        )
      }
    >
      <ListCard query={sessions} one="session" onPage={setPage} empty="No sessions.">
        {({ id, user_agent, created_at, last_seen_at, expires_at, is_current }) => (
          <ListRow
            key={id}
            title={
              <>
                {describeUserAgent(user_agent)}
                {is_current && <Tag>This session</Tag>}
              </>
            }
            about={
              <>
                Signed in <Time at={created_at} /> · last used <Time at={last_seen_at} /> · ends{' '}
                <Time at={expires_at} />
              </>
            }
          >
            {!is_current && (
              <ConfirmButton
                label="End"
                ariaLabel={`End the session ${describeUserAgent(user_agent)}`}
                title="End this session?"
                onConfirm={() => end.mutateAsync(id)}
              >
                That browser or program is signed out immediately.
              </ConfirmButton>
            )}
          </ListRow>
        )}
      </ListCard>
    </Section>
  );
}
