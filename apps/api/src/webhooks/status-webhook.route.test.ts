import { Writable } from 'node:stream';
import { AppError, type ProviderAdapter, type ProviderWebhooks } from '@switchboard/core';
import { fastify } from 'fastify';
import { expect, test, vi } from 'vitest';
import { RequestLog } from '../http/log-requests.ts';
import { parseRawBodies } from './parse-raw-bodies.ts';
import { type StatusWebhookDependencies, registerStatusWebhook } from './status-webhook.route.ts';

type Result = Awaited<ReturnType<StatusWebhookDependencies['recordStatusCallback']>>;

const CALLBACK = '/api/webhooks/test/01a1f8f1-54f4-7000-b000-03e09a2e335c/status';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SIGNED = { ...FORM, 'x-test-signature': 'x' };

const webhooks: Partial<ProviderWebhooks> = {
  paths: {
    status: '/api/webhooks/test/:providerId/status',
    inbound: '/api/webhooks/test/:providerId/inbound',
  },
  hasSignature: ({ headers }) => headers['x-test-signature'] !== undefined,
};
const PROVIDER = {
  adapter: { type: 'test' } as ProviderAdapter,
  webhooks: webhooks as ProviderWebhooks,
};
const callback = { messageId: null, sid: 'S1', vendorAccountId: 'a1', status: 'sent' };
const verified = {
  account: { workspaceId: 'w', providerId: 'p' },
  readContent: () => ({ kind: 'status', callback }),
};

const dependencies: StatusWebhookDependencies = {
  verifyWebhook: async () => verified as never,
  verifyRemembered: () => null,
  limitWebhooks: async () => undefined,
  readRow: async () => null,
  recordStatusCallback: async () => 'recorded',
  advanceByCallback: async () => null,
  receiveInbound: async () => null,
  outageRetry: { retry: (work) => work() },
  clock: { now: () => 0 },
  publicUrl: 'https://switchboard.example',
  tracer: null,
  metrics: { callbacks: { inc: () => undefined } },
};

/** Returns the log lines, at `level` and above, of one status callback with this result. */
async function logOf(level: 'debug' | 'info', result: Result): Promise<string[]> {
  const lines: string[] = [];
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push((JSON.parse(line.toString()) as { msg: string }).msg);
      done();
    },
  });
  const app = fastify({
    logger: { level, stream },
    logController: new RequestLog({ requestIdLogLabel: 'request_id' }),
  });
  parseRawBodies(app, [FORM['content-type']]);
  registerStatusWebhook(app, PROVIDER, {
    ...dependencies,
    recordStatusCallback: async () => result,
  });
  await app.inject({ method: 'POST', url: CALLBACK, headers: SIGNED, payload: 'MessageSid=SM1' });
  await app.close();
  return lines;
}

test('a callback without a signature is refused without a query, and one with a wrong signature before its message is read', async () => {
  const verifyWebhook = vi.fn(async () => {
    throw new AppError('forbidden', 'not signed');
  });
  const readRow = vi.fn(async () => {
    throw new Error('no database');
  });
  const app = fastify();
  parseRawBodies(app, [FORM['content-type']]);
  app.setErrorHandler((error: Error, _request, reply) => reply.code(400).send(error.message));
  registerStatusWebhook(app, PROVIDER, { ...dependencies, verifyWebhook, readRow });
  const post = (headers: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: `${CALLBACK}?message=01a1f8f1-54f4-7000-b000-03e09a2e335c`,
      headers,
      payload: 'MessageSid=SM1',
    });
  await post(FORM);
  expect([verifyWebhook, readRow].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  expect((await post(SIGNED)).body).toBe('not signed');
  expect([verifyWebhook, readRow].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  await app.close();
});

test('a recorded status callback is logged in one line', async () => {
  expect(await logOf('info', 'recorded')).toEqual(['status callback received']);
});

test('a refused status callback is logged as a completed request', async () => {
  expect(await logOf('info', 'foreign')).toContain('request completed');
});

test.each([
  ['the usual', { id: 'm', workspaceId: 'w', seq: 1, requestId: 'r', traceParent: null }, [0, 0]],
  ['an unusual', null, [1, 1]],
] as const)(
  'a callback with %s effect from a known account counts once in the limit, and is verified and read again only if its effect is unusual',
  async (_effect, advanced, expected) => {
    const verifyWebhook = vi.fn(dependencies.verifyWebhook);
    const recordStatusCallback = vi.fn(dependencies.recordStatusCallback);
    const limitWebhooks = vi.fn(dependencies.limitWebhooks);
    const app = fastify();
    parseRawBodies(app, [FORM['content-type']]);
    registerStatusWebhook(app, PROVIDER, {
      ...dependencies,
      verifyRemembered: () =>
        ({
          account: { id: 'a', workspaceId: 'w' },
          content: { kind: 'status', callback },
        }) as never,
      advanceByCallback: async () => advanced,
      verifyWebhook: verifyWebhook as never,
      recordStatusCallback,
      limitWebhooks,
    });
    const response = await app.inject({
      method: 'POST',
      url: CALLBACK,
      headers: SIGNED,
      payload: 'MessageSid=SM1',
    });
    expect([response.statusCode, response.json()]).toEqual([200, { ok: true }]);
    const calls = [verifyWebhook, recordStatusCallback].map(({ mock }) => mock.calls.length);
    expect(calls).toEqual(expected);
    expect(limitWebhooks.mock.calls).toEqual([['w']]);
    await app.close();
  },
);
