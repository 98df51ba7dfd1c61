import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';

/** Hides controls that the server would refuse. It is not an access control. */
export function useIsOwner(workspaceId: string): boolean {
  const { data: me } = useQuery(meQuery(useApi()));
  return me?.workspaces.some(({ id, role }) => id === workspaceId && role === 'owner') === true;
}
