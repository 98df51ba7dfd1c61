import type { ProviderAdapter } from '@switchboard/core';
import { fastify } from 'fastify';
import { expect, test, vi } from 'vitest';
import { registerInboundWebhook } from './inbound-webhook.route.ts';
import { registerStatusWebhook } from './status-webhook.route.ts';
import { createVerifyWebhook } from './verify-webhook.ts';

test('a signed event that the service does not handle is answered with 200 on both paths, and nothing is recorded', async () => {
  const ignored = { kind: 'ignored', event: 'message.other' } as const;
  const adapter = {
    type: 'test',
    hasSignature: () => true,
    readStatusCallback: () => ignored,
    readInbound: () => ignored,
  } as Partial<ProviderAdapter> as ProviderAdapter;
  const routes = {
    paths: { status: '/test/:providerId/status', inbound: '/test/:providerId/inbound' },
    inboundReply: { contentType: 'application/json', body: '{"ok":true}' },
  };
  const recordStatusCallback = vi.fn();
  const receiveInbound = vi.fn();
  const dependencies = {
    verifyWebhook: createVerifyWebhook({
      providers: {
        listOfType: async () => [],
        findById: async () => ({ type: 'test', workspaceId: 'w' }) as never,
      },
      resolveProviderAccount: () => ({ kind: 'usable', account: {} }) as never,
      requireVerifiedAccount: async () => true,
    }),
    publicUrl: 'https://switchboard.example',
    limitWebhooks: async () => undefined,
    readRow: async () => null,
    recordStatusCallback,
    receiveInbound,
    outageRetry: { retry: <Result>(work: () => Promise<Result>) => work() },
    clock: {} as never,
    tracer: null,
    metrics: { callbacks: { inc: () => undefined } },
  };
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  registerStatusWebhook(app, adapter, routes, dependencies);
  registerInboundWebhook(app, adapter, routes, dependencies);
  for (const kind of ['status', 'inbound']) {
    const answer = await app.inject({
      method: 'POST',
      url: `/test/01a1f8f1-54f4-7000-b000-03e09a2e335c/${kind}`,
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
  }
  expect(recordStatusCallback).not.toHaveBeenCalled();
  expect(receiveInbound).not.toHaveBeenCalled();
  await app.close();
});
