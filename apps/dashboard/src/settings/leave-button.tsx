import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as strings from '#strings/members';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { ConfirmButton } from './confirm-button.tsx';

/** Removes the signed-in user from the workspace. */
export function LeaveButton(props: { workspaceId: string; userId: string }) {
  const { workspaceId, userId } = props;
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();

  async function leave(): Promise<void> {
    await api.request('DELETE /api/ui/workspaces/{workspaceId}/members/{userId}', {
      params: { workspaceId, userId },
    });
    await client.invalidateQueries({ queryKey: queryKeys.me });
    await navigate({ to: '/', replace: true });
    client.removeQueries({ queryKey: queryKeys.workspace(workspaceId) });
  }

  return (
    <ConfirmButton label={strings.leave} title={strings.leaveThisWorkspace} onConfirm={leave}>
      {strings.leaveThisWorkspaceExplained}
    </ConfirmButton>
  );
}
