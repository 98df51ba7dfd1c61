import { type Permission, hasPermission, liveWorkspaceOf } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';

/**
 * Returns whether the role of the user in the open workspace permits something. It hides controls that the
 * server would refuse. It is not an access control.
 */
export function useMay(permission: Permission): boolean {
  const { workspaceId } = useParams({ strict: false });
  const { data: me } = useQuery(meQuery(useApi()));
  const liveId = workspaceId === undefined ? null : liveWorkspaceOf(workspaceId);
  const role = me?.workspaces.find(({ id }) => id === liveId)?.role;
  return role !== undefined && hasPermission(role, permission);
}

/** Shows controls only to users who may use them. */
export function IfMay(props: { permission: Permission; children: ReactNode }) {
  return useMay(props.permission) ? props.children : null;
}

/** Disables the fields of a form for users who may only read, and hides its buttons. */
export function ReadOnlyUnless(props: {
  permission: Permission;
  className?: string;
  children: ReactNode;
}) {
  return (
    <fieldset
      disabled={!useMay(props.permission)}
      className={`min-w-0 [&:disabled_button]:hidden ${props.className ?? ''}`}
    >
      {props.children}
    </fieldset>
  );
}
