import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as strings from '#strings/account';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { formatFullTime } from '../ui/format.ts';
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
      title={strings.sessions}
      about={strings.sessionsAbout}
      action={
        hasOthers && (
          <ConfirmButton
            label={strings.endAllOthers}
            title={strings.endAllYourOtherSessions}
            onConfirm={() => endOthers.mutateAsync()}
          >
            {strings.endAllYourOtherSessionsExplained}
          </ConfirmButton>
        )
      }
    >
      <ListCard
        query={sessions}
        count={strings.sessionCount}
        onPage={setPage}
        toCells={({ user_agent, created_at, last_seen_at, expires_at }) => [
          describeUserAgent(user_agent),
          ...[created_at, last_seen_at, expires_at].map(formatFullTime),
        ]}
        empty={strings.noSessions}
      >
        {({ id, user_agent, created_at, last_seen_at, expires_at, is_current }) => (
          <ListRow
            key={id}
            title={
              <>
                <span>{describeUserAgent(user_agent)}</span>
                {is_current && <Tag>{strings.thisSession}</Tag>}
              </>
            }
            about={strings.sessionTimes({
              signedIn: <Time at={created_at} />,
              lastUsed: <Time at={last_seen_at} />,
              end: <Time at={expires_at} />,
            })}
          >
            {!is_current && (
              <ConfirmButton
                label={strings.end}
                ariaLabel={strings.endSession(describeUserAgent(user_agent))}
                title={strings.endThisSession}
                onConfirm={() => end.mutateAsync(id)}
              >
                {strings.endThisSessionExplained}
              </ConfirmButton>
            )}
          </ListRow>
        )}
      </ListCard>
    </Section>
  );
}
