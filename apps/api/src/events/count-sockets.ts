import { quotaExceeded } from '@switchboard/core';
import type { Access } from './connection.ts';

/** The maximum number of sockets on this process for each owner; `Infinity` for no limit. */
export interface SocketQuotas {
  key: number;
  user: number;
  workspace: number;
}

export interface SocketOwner {
  workspaceId: string;
  access: Access;
}

/** Counts open sockets by key, user and workspace, so that none of them uses all sockets. */
export function createSocketCounts(quotas: SocketQuotas) {
  const open = new Map<string, number>();

  function countersOf({ workspaceId, access }: SocketOwner) {
    return [
      access.kind === 'api_key'
        ? { name: `key ${access.apiKeyId}`, quota: quotas.key, per: 'API key' }
        : { name: `user ${access.userId}`, quota: quotas.user, per: 'user' },
      { name: `workspace ${workspaceId}`, quota: quotas.workspace, per: 'workspace' },
    ];
  }

  function change(owner: SocketOwner, by: 1 | -1): void {
    for (const { name } of countersOf(owner)) {
      const number = (open.get(name) ?? 0) + by;
      if (number === 0) open.delete(name);
      else open.set(name, number);
    }
  }

  return {
    /** @throws AppError `quota_exceeded` when the owner has reached its quota of sockets. */
    assertCapacity(owner: SocketOwner): void {
      for (const { name, quota, per } of countersOf(owner)) {
        if ((open.get(name) ?? 0) >= quota) throw quotaExceeded(quota, `open sockets per ${per}`);
      }
    },
    add: (owner: SocketOwner) => change(owner, 1),
    remove: (owner: SocketOwner) => change(owner, -1),
  };
}
