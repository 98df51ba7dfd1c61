import type { WorkspaceRoutes } from '@switchboard/database';
import { expect, test } from 'vitest';
import { createRoutes } from './create-routes.ts';

const HINT = { messageId: 'm', workspaceId: 'w', requestId: 'r' };

const accountOf = (id: string, type: string, number: string) => ({
  id,
  account: `account-${id}`,
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

function start(fields: { failedAccounts?: string[]; hasMedia?: boolean } = {}) {
  const message = {
    id: 'm',
    version: 3,
    to: '+14155550199',
    from: '+14155550001',
    conversationSender: null,
    attempt: 1,
    resends: 0,
    provedResends: 0,
    providerAccount: 'account-a',
    failedAccounts: [],
    hasMedia: false,
    ...fields,
  };
  return createRoutes({
    reader: {
      readRoutes: async () => ROUTES,
      readAllRoutes: async () => ROUTES,
      readMessage: async () => message,
      readConversationSender: async () => null,
    },
    textOnlyTypes: ['texts'],
    clock: { monotonic: () => performance.now() },
  });
}

test('a message whose account has failed goes to a throttled account, not to the failed one again', async () => {
  const routes = start({ failedAccounts: ['account-a'] });
  routes.avoid('b', 60_000);
  expect(await routes.choose(HINT)).toMatchObject({ providerId: 'b', from: '+14155550002' });
});

test('a message avoids a throttled account while another one may send it', async () => {
  const routes = start();
  routes.avoid('a', 60_000);
  expect(await routes.choose(HINT)).toMatchObject({ providerId: 'b' });
});

test('a message with media goes to an account that sends media', async () => {
  expect(await start().choose(HINT)).toMatchObject({ providerId: 'a' });
  expect(await start({ hasMedia: true }).choose(HINT)).toMatchObject({ providerId: 'b' });
});
