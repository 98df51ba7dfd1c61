import type { ProviderAccount, Routing } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import * as strings from '#strings/routing';
import { useApi } from '../../api/api-context.tsx';
import { queryKeys } from '../../api/query-keys.ts';
import { LoadFailure, Notice, Skeleton } from '../../ui/notice.tsx';
import { Section } from '../section.tsx';
import { useSettingsChange } from '../use-settings.ts';
import { RoutingEditor } from './routing-editor.tsx';
import { RoutingTest } from './routing-test.tsx';

/** The routing of messages, and a form that tests the routing. */
export function RoutingSettings(props: {
  workspaceId: string;
  accounts: readonly ProviderAccount[];
  isOwner: boolean;
}) {
  const { workspaceId, accounts, isOwner } = props;
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.settings(workspaceId, 'routing'),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/routing', { params: { workspaceId } }),
  });
  const save = useSettingsChange(workspaceId, (change, body: Routing) =>
    change.request('PUT /api/ui/workspaces/{workspaceId}/routing', {
      params: { workspaceId },
      body,
    }),
  );
  return (
    <>
      <Section title={strings.routing} about={strings.routingAbout}>
        {data !== undefined ? (
          <RoutingEditor
            // New values from the server replace those in the form.
            key={JSON.stringify(data)}
            current={data}
            accounts={accounts}
            isOwner={isOwner}
            error={save.error}
            isPending={save.isPending}
            onSave={(routing) => save.mutate(routing)}
          />
        ) : error === null ? (
          <Skeleton lines={3} />
        ) : (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        )}
        {save.isSuccess && (
          <div className="mt-3">
            <Notice tone="good">{strings.routingSaved}</Notice>
          </div>
        )}
      </Section>
      <RoutingTest workspaceId={workspaceId} accounts={accounts} />
    </>
  );
}
