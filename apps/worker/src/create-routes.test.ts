import type { WorkspaceRoutes } from '@switchboard/database';
import { expect, test } from 'vitest';
import { createRoutes } from './create-routes.ts';

const HINT = { messageId: 'm', workspaceId: 'w', requestId: 'r' };

const accountOf = (id: string, type: string, number: string) => ({
  id,
  vendorAccountId: `account-${id}`,
  type,
  isDefault: id === 'a',
  isPaused: false,
  recoveredForMs: null,
  hasSenderPool: false,
  senders: [{ number, kind: 'long_code' as const, isDefault: false }],
});

/** Account `a` sends only text, and the message's sender belongs to it. */
const ROUTES: WorkspaceRoutes = {
  isPlain: false,
  rules: [],
  failover: true,
  accounts: [accountOf('a', 'texts', '+14155550001'), accountOf('b', 'all', '+14155550002')],
};

/** `waits`: how long a message would wait for the pace of each account, in milliseconds. */
function start(
  fields: { failedAccounts?: string[]; hasMedia?: boolean } = {},
  waits: Partial<Record<string, number>> = {},
) {
  const message = {
    id: 'm',
    version: 3,
    to: '+14155550199',
    from: '+14155550001',
    conversationSender: null,
    attempt: 1,
    resends: 0,
    provedResends: 0,
    providerId: 'a',
    vendorAccountId: 'account-a',
    failedAccounts: [],
    hasMedia: false,
    ...fields,
  };
  const routes = createRoutes({
    reader: {
      readRoutes: async () => ROUTES,
      readAllRoutes: async () => ROUTES,
      readMessage: async () => message,
      readConversationSender: async () => null,
    },
    textOnlyTypes: ['texts'],
    measureWait: (_workspaceId, id) => waits[id] ?? 0,
    clock: { monotonic: () => performance.now() },
  });
  return {
    ...routes,
    listOthers: (how?: { isUnthrottled: boolean }) =>
      routes.listAlternatives({ ...message, workspaceId: 'w' }, how),
  };
}

test('a message whose account has failed goes to a throttled account, not to the failed one again', async () => {
  const routes = start({ failedAccounts: ['a'] }, { b: 60_000 });
  expect(await routes.choose(HINT)).toMatchObject({ providerId: 'b', from: '+14155550002' });
});

test.each([
  [{ a: 1_000 }, 'a'],
  [{ a: 1_001 }, 'b'],
  [{ a: 60_000, b: 60_000 }, 'a'],
])(
  'a message waits up to a second for its throttled account, and longer if no other may send it: %o',
  async (waits, providerId) => {
    expect(await start({}, waits).choose(HINT)).toMatchObject({ providerId });
  },
);

test('a throttled message does not move to an account that is throttled too', async () => {
  const { listOthers } = start({}, { a: 5_000, b: 5_000 });
  expect(await listOthers({ isUnthrottled: true })).toEqual([]);
  expect(await listOthers()).toEqual(['a', 'b']);
  const { listOthers: listAll } = start({}, { a: 5_000 });
  expect(await listAll({ isUnthrottled: true })).toEqual(['b']);
});

test('a message with media goes to an account that sends media', async () => {
  expect(await start().choose(HINT)).toMatchObject({ providerId: 'a' });
  expect(await start({ hasMedia: true }).choose(HINT)).toMatchObject({ providerId: 'b' });
});
