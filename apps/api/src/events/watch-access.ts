import { CLOSE_CODES } from '@switchboard/contracts';
import { type BusNotification, type Clock, liveWorkspaceOf } from '@switchboard/core';
import type { ActiveAccess, ReadActiveAccess } from '@switchboard/database';
import { type Connection, closeConnection } from './connection.ts';

export interface AccessWatchOptions {
  connections: ReadonlySet<Connection>;
  readActiveAccess: ReadActiveAccess;
  clock: Clock;
  checkMs: number;
  onError(error: unknown): void;
}

type EndCode = typeof CLOSE_CODES.credentialEnded | typeof CLOSE_CODES.membershipEnded;

type EndNotification = Exclude<BusNotification, { kind: 'message' | 'inbox' | 'typing' }>;

/**
 * Closes connections whose session, key or membership has ended: immediately on a notification, and
 * by polling the database, because notifications may be lost.
 */
export function createAccessWatch(options: AccessWatchOptions) {
  const { connections, clock } = options;
  /**
   * Connections that joined since the last check, because their credential may have ended between the
   * upgrade's check and the join; and those whose access a notification says has changed.
   */
  const fresh = new Set<Connection>();
  let nextCheckAt = clock.monotonic() + options.checkMs;
  let running = false;
  let lastRun = Promise.resolve();

  async function check(checked: readonly Connection[]): Promise<void> {
    running = true;
    try {
      const active = await options.readActiveAccess(toQuery(checked));
      for (const connection of checked) {
        const code = updateAccess(connection, active);
        if (code !== null) closeConnection(connection, code);
      }
    } catch (error) {
      // While the database is unavailable, sockets stay open until the next check.
      options.onError(error);
    } finally {
      running = false;
    }
  }

  function closeExpired(): void {
    try {
      for (const connection of connections) {
        if (connection.access.expiresAt <= clock.now())
          closeConnection(connection, CLOSE_CODES.credentialEnded);
      }
    } catch (error) {
      // Right after the start of this process, the clock of the database may not be known yet.
      options.onError(error);
    }
  }

  return {
    add(connection: Connection): void {
      fresh.add(connection);
    },

    end(notification: EndNotification): void {
      for (const connection of connections) {
        if (isConcerned(connection, notification)) fresh.add(connection);
        const code = findNotifiedEnd(connection, notification);
        if (code !== null) closeConnection(connection, code);
      }
    },

    /** Makes the next tick check all connections, because notifications may have been lost. */
    checkAll(): void {
      nextCheckAt = 0;
    },

    tick(): void {
      closeExpired();
      const isDue = clock.monotonic() >= nextCheckAt;
      const checked = [...(isDue ? connections : fresh)];
      if (running || checked.length === 0) return;
      if (isDue) nextCheckAt = clock.monotonic() + options.checkMs;
      fresh.clear();
      lastRun = check(checked);
    },

    stop: () => lastRun,
  };
}

function isConcerned({ access, feed }: Connection, notification: EndNotification): boolean {
  if (notification.kind !== 'access_changed' || access.kind !== 'session') return false;
  return notification.id === liveWorkspaceOf(feed.workspaceId) || notification.id === access.userId;
}

function findNotifiedEnd(
  { access, feed }: Connection,
  notification: EndNotification,
): EndCode | null {
  switch (notification.kind) {
    case 'session_ended':
      return access.kind === 'session' && access.sessionId === notification.sessionId
        ? CLOSE_CODES.credentialEnded
        : null;
    case 'api_key_revoked':
      return access.kind === 'api_key' && access.apiKeyId === notification.apiKeyId
        ? CLOSE_CODES.credentialEnded
        : null;
    case 'member_removed':
      return access.kind === 'session' &&
        access.userId === notification.userId &&
        liveWorkspaceOf(feed.workspaceId) === notification.workspaceId
        ? CLOSE_CODES.membershipEnded
        : null;
    case 'access_changed':
    case 'webhooks_changed':
    case 'hint':
      return null;
  }
}

/** Updates the role of the user. Returns the code for a connection that must be closed. */
function updateAccess({ access, feed }: Connection, active: ActiveAccess): EndCode | null {
  if (access.kind === 'api_key') {
    return active.hasKey(access.apiKeyId, access.keyVersion) ? null : CLOSE_CODES.credentialEnded;
  }
  if (!active.sessionIds.has(access.sessionId)) return CLOSE_CODES.credentialEnded;
  const { userId, sessionId } = access;
  const role = active.roleOf({ workspaceId: feed.workspaceId, userId, sessionId });
  if (role === null) return CLOSE_CODES.membershipEnded;
  access.role = role;
  return null;
}

function toQuery(checked: readonly Connection[]): Parameters<ReadActiveAccess>[0] {
  const sessionIds = new Set<string>();
  const apiKeys = new Map<string, { workspaceId: string; id: string; version: number }>();
  const memberships = new Map<string, { workspaceId: string; userId: string }>();
  for (const { access, feed } of checked) {
    const { workspaceId } = feed;
    if (access.kind === 'api_key') {
      const { apiKeyId: id, keyVersion: version } = access;
      apiKeys.set(`${id}/${version}`, { workspaceId, id, version });
      continue;
    }
    sessionIds.add(access.sessionId);
    memberships.set(`${workspaceId}/${access.userId}`, { workspaceId, userId: access.userId });
  }
  return {
    sessionIds: [...sessionIds],
    apiKeys: [...apiKeys.values()],
    memberships: [...memberships.values()],
  };
}
