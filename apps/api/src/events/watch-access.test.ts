import { type Role, START_OF_EVENTS, testWorkspaceOf } from '@switchboard/core';
import { expect, test } from 'vitest';
import { type Connection, createFeed } from './connection.ts';
import { createAccessWatch } from './watch-access.ts';

const LIVE = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';

/** Connections of sessions, whose close codes are in `closed`. Their next regular check never comes. */
function watch(workspaceIds: readonly string[], role: Role | null) {
  const closed = new Map<string, number>();
  const connections = new Set(
    workspaceIds.map(
      (workspaceId, index) =>
        ({
          feed: createFeed(workspaceId, { epoch: '', position: START_OF_EVENTS }),
          access: {
            kind: 'session',
            expiresAt: Infinity,
            sessionId: 's',
            userId: `user ${index}`,
            role: 'member',
          },
          socket: { close: (code: number) => closed.set(workspaceId, code) },
        }) as unknown as Connection,
    ),
  );
  const accessWatch = createAccessWatch({
    connections,
    clock: { now: () => 0, monotonic: () => 0 },
    checkMs: 1,
    readActiveAccess: async () => ({
      sessionIds: new Set(['s']),
      hasKey: () => true,
      roleOf: () => role,
    }),
    onError(error) {
      throw error;
    },
  });
  return { accessWatch, closed };
}

test('a changed rule of a workspace closes the sockets of both of its modes without waiting for the next check', async () => {
  const { accessWatch, closed } = watch([LIVE, testWorkspaceOf(LIVE), OTHER], null);
  accessWatch.end({ kind: 'access_changed', id: LIVE });
  accessWatch.tick();
  await accessWatch.stop();
  expect(closed).toEqual(
    new Map([
      [LIVE, 4403],
      [testWorkspaceOf(LIVE), 4403],
    ]),
  );
});

test('the end of a membership closes the sockets of both modes of the workspace', () => {
  for (const workspaceId of [LIVE, testWorkspaceOf(LIVE)]) {
    const { accessWatch, closed } = watch([workspaceId, OTHER], 'member');
    accessWatch.end({ kind: 'member_removed', workspaceId: LIVE, userId: 'user 0' });
    expect(closed).toEqual(new Map([[workspaceId, 4403]]));
  }
});
