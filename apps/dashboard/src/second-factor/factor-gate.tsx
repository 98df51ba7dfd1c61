import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { meQuery } from '../api/workspace-queries.ts';
import { WorkspaceShell } from '../shell/workspace-shell.tsx';
import { lazyView } from '../ui/lazy-view.tsx';
import { LoadFailure } from '../ui/notice.tsx';

const FactorRequiredPage = lazyView(
  () => import('./factor-required-page.tsx').then((module) => module.FactorRequiredPage),
  LoadFailure,
);

/** Shows the workspace, or how to set up the second factor that it requires. */
export function FactorGate() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId' });
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery(useApi()));
  // The page stays until the user has saved the recovery codes, although the workspace is open by then.
  const [shownFor, setShownFor] = useState<string | null>(null);
  const isClosed =
    me?.workspaces.find(({ id }) => id === workspaceId)?.needs_second_factor === true;
  if (isClosed && shownFor !== workspaceId) setShownFor(workspaceId);
  if (me === undefined || (!isClosed && shownFor !== workspaceId)) return <WorkspaceShell />;
  return (
    <FactorRequiredPage
      key={workspaceId}
      me={me}
      workspaceId={workspaceId}
      onDone={() => {
        void client.invalidateQueries({ queryKey: queryKeys.me }).then(() => setShownFor(null));
      }}
    />
  );
}
