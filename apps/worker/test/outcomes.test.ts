import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { findFreePort } from '@switchboard/embedded-postgres';
import { EVENTUALLY, startSimulator } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FROM, LONG_TIMEOUTS, SHORT_LEASES, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';
const magic = (ending: string): string => `+1500555${ending}`;

describe.concurrent('outcomes of provider calls', () => {
  let environment: Awaited<ReturnType<typeof startEnvironment>>;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    environment = await startEnvironment({}, (end) => ends.push(end));
    await environment.startWorker();
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  test.each([
    ['to', '0001', '21211'],
    ['to', '0002', '21612'],
    ['to', '0003', '21408'],
    ['to', '0004', '21610'],
    ['to', '0009', '21614'],
    ['from', '0001', '21212'],
    ['from', '0007', '21606'],
  ])(
    'a permanent refusal of the %s number %s fails the message once, with %s',
    async (side, ending, code) => {
      const { workspaceId, accountSid } = await environment.addWorkspace();
      const { messageId } = await environment.accept(
        workspaceId,
        side === 'to' ? magic(ending) : RECIPIENT,
        { from: side === 'from' ? magic(ending) : FROM },
      );
      const row = await environment.until(messageId, (now) => now.dispatch === 'rejected');
      expect(row).toMatchObject({
        status: 'failed',
        error_code: code,
        attempt: 1,
        provider_sid: null,
      });
      expect(await environment.ledger(accountSid)).toEqual([]);
      const events = await environment.events(messageId);
      expect(events).toEqual(['created', 'attempt_started', 'provider_rejected']);
    },
  );

  test('a throttled message is retried until the provider accepts it, and is accepted once', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const { messageId } = await environment.accept(workspaceId, magic('0020'));
    const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 3, resends: 0, sid_adopted: false });
    expect(await environment.ledger(accountSid)).toHaveLength(1);
  });

  test('a message to a full sender queue is not rejected and waits for its next attempt', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { messageId } = await environment.accept(workspaceId, RECIPIENT, { from: magic('0008') });
    const row = await environment.until(
      messageId,
      (now) => now.attempt >= 2 && now.dispatch === 'ready',
    );
    expect(row).toMatchObject({ status: 'queued', error_code: null });
  });

  test.each([
    ['answers 500', '0021'],
    ['resets the connection', '0022'],
    ['hangs', '0023'],
  ])(
    'when the provider accepts a message and %s, a lookup finds the message and it is not sent again',
    async (_how, ending) => {
      const { workspaceId, accountSid } = await environment.addWorkspace();
      const { messageId } = await environment.accept(workspaceId, magic(ending));
      const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
      expect(row).toMatchObject({ attempt: 1, resends: 0, sid_adopted: true });
      expect(await environment.events(messageId)).toContain('outcome_unknown');
      expect(await environment.ledger(accountSid)).toMatchObject([{ sid: row.provider_sid }]);
    },
  );

  test.each([
    ['delivered', RECIPIENT, null],
    ['undelivered', magic('0010'), '30008'],
  ])('a message whose callbacks are all lost becomes %s by polling', async (status, to, code) => {
    const { workspaceId } = await environment.addWorkspace();
    const { messageId } = await environment.accept(workspaceId, to);
    const row = await environment.until(messageId, (now) => now.status === status);
    expect(row).toMatchObject({ provider_status: status, error_code: code });
  });

  test('an opt-out that only a poll reports stops further messages to the recipient', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { messageId } = await environment.accept(workspaceId, magic('0016'));
    await environment.until(messageId, (now) => now.error_code === '21610');
    const optOuts = await environment.database.prisma.optOut.findMany({ where: { workspaceId } });
    expect(optOuts).toMatchObject([{ number: magic('0016'), reason: 'provider 21610' }]);
  });

  test.each(['refused', 'undecipherable', 'deleted'])(
    'a message with %s credentials waits until the owner changes them',
    async (what) => {
      const first = await environment.addWorkspace();
      const taken = await environment.accept(first.workspaceId, RECIPIENT);
      await environment.until(taken.messageId, (now) => now.dispatch === 'accepted');

      const { workspaceId } = await environment.addWorkspace({
        // The simulator accepts only the first token that it received for an account.
        ...(what === 'refused' ? { accountSid: first.accountSid, token: 'another' } : {}),
        ...(what === 'undecipherable' ? { sealedFor: first.workspaceId } : {}),
      });
      if (what === 'deleted') {
        await environment.database.prisma.providerAccount.deleteMany({ where: { workspaceId } });
      }
      const { messageId } = await environment.accept(workspaceId, RECIPIENT);
      const row = await environment.until(
        messageId,
        (now) => now.attempt === 1 && now.dispatch === 'ready',
      );
      expect(row.status).toBe('queued');
      const { rows } = await environment.database.pool.query<{ seconds: number }>(
        'SELECT extract(epoch FROM not_before - now())::float8 AS seconds FROM messages WHERE id = $1',
        [messageId],
      );
      expect(rows[0]?.seconds).toBeGreaterThan(20);
      if (what === 'refused') {
        // The worker records the refusal after it has changed the message.
        await vi.waitFor(async () => {
          const provider = await environment.database.prisma.providerAccount.findFirst({
            where: { workspaceId },
          });
          expect(provider?.refusedSince).toBeInstanceOf(Date);
        }, EVENTUALLY);
      }
      expect(await environment.ledger(first.accountSid)).toHaveLength(1);
    },
  );
});

describe.concurrent('a provider that answers 500', () => {
  test('a message that the provider answers with 500 and does not accept is resent once, after the hold', async ({
    onTestFinished,
  }) => {
    const environment = await startEnvironment({}, onTestFinished);
    const { workspaceId } = await environment.addWorkspace();
    await environment.behave({ reject_500: 1 });
    await environment.startWorker(SHORT_LEASES);
    const { messageId } = await environment.accept(workspaceId, RECIPIENT);
    await environment.until(messageId, (now) => now.dispatch === 'unknown');
    await environment.behave({ reject_500: 0 });
    const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 2, resends: 1, sid_adopted: false });
    expect(await environment.ledger()).toHaveLength(1);
  });

  test.for([
    ['resend', 2],
    ['fail', 1],
  ] as const)(
    'a message answered with 500 fails as outcome_unknown under "%s" after %i attempts if the provider answers other requests',
    async ([onUnknown, attempts], { onTestFinished }) => {
      const provider = await startFailingProvider();
      onTestFinished(() => provider.close());
      const environment = await startEnvironment({ providerUrl: provider.url }, onTestFinished);
      const { workspaceId } = await environment.addWorkspace({ onUnknown });
      await environment.startWorker(SHORT_LEASES);
      const { messageId } = await environment.accept(workspaceId, RECIPIENT);
      const row = await environment.until(messageId, (now) => now.dispatch === 'unresolved');
      expect(row).toMatchObject({
        attempt: attempts,
        status: 'failed',
        error_code: 'outcome_unknown',
        provider_sid: null,
      });
      expect(await environment.ledger()).toEqual([]);
    },
  );
});

test('a message is retried until its unreachable provider answers', async () => {
  const port = await findFreePort();
  const environment = await startEnvironment({ providerUrl: `http://127.0.0.1:${port}` });
  const { workspaceId } = await environment.addWorkspace();
  await environment.startWorker(LONG_TIMEOUTS);
  const { messageId } = await environment.accept(workspaceId, RECIPIENT);
  await environment.until(messageId, (now) => now.attempt >= 1 && now.dispatch === 'ready');
  const late = await startSimulator({ SIMULATOR_PORT: String(port) });
  try {
    const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ resends: 0, sid_adopted: false });
  } finally {
    await late.stop();
  }
});

test('a message counts as not sent if the host of its provider does not resolve', async () => {
  const environment = await startEnvironment({ providerUrl: 'http://provider.invalid:1' });
  const { workspaceId } = await environment.addWorkspace();
  await environment.startWorker();
  const { messageId } = await environment.accept(workspaceId, RECIPIENT);
  await environment.until(messageId, (now) => now.attempt >= 1 && now.dispatch === 'ready');
  expect(await environment.events(messageId)).toContain('attempt_failed');
});

/** Answers 500 to each message without accepting it, and refuses a request without a recipient. */
async function startFailingProvider() {
  const server = createServer((request, response) => {
    void (async () => {
      const form = new URLSearchParams(await text(request));
      const isList = request.method === 'GET';
      const isProbe = form.get('To') === '';
      response.writeHead(isList ? 200 : isProbe ? 400 : 500, {
        'content-type': 'application/json',
      });
      response.end(
        JSON.stringify(
          isList
            ? { messages: [], next_page_uri: null }
            : { code: isProbe ? 21604 : 20500, message: 'No', status: isProbe ? 400 : 500 },
        ),
      );
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
