import type { ProviderAdapter, ProviderWebhooks } from '@switchboard/core';
import { fastify } from 'fastify';
import { expect, test, vi } from 'vitest';
import { registerInboundWebhook } from './inbound-webhook.route.ts';
import { registerStatusWebhook } from './status-webhook.route.ts';
import { createWebhookVerification } from './verify-webhook.ts';

const IGNORED = { kind: 'ignored', event: 'message.other' } as const;

/** Posts a webhook to both URLs of an account, and returns what was recorded. */
async function postToBoth(read: Partial<ProviderWebhooks>) {
  const adapter = { type: 'test' } as ProviderAdapter;
  const webhooks: Partial<ProviderWebhooks> = {
    hasSignature: () => true,
    readStatusCallback: () => IGNORED,
    readInbound: () => IGNORED,
    ...read,
    paths: { status: '/test/:providerId/status', inbound: '/test/:providerId/inbound' },
    inboundReply: { contentType: 'application/json', body: '{"ok":true}' },
  };
  const recordStatusCallback = vi.fn(async () => 'recorded' as const);
  const receiveInbound = vi.fn(async () => null);
  const dependencies = {
    ...createWebhookVerification({
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
    advanceByCallback: async () => null,
    receiveInbound,
    outageRetry: { retry: <Result>(work: () => Promise<Result>) => work() },
    clock: { now: () => 0 },
    tracer: null,
    metrics: { callbacks: { inc: () => undefined } },
  };
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  const provider = { adapter, webhooks: webhooks as ProviderWebhooks };
  registerStatusWebhook(app, provider, dependencies);
  registerInboundWebhook(app, provider, dependencies);
  for (const kind of ['status', 'inbound']) {
    const response = await app.inject({
      method: 'POST',
      url: `/test/01a1f8f1-54f4-7000-b000-03e09a2e335c/${kind}`,
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    });
    expect([response.statusCode, response.json()]).toEqual([200, { ok: true }]);
  }
  await app.close();
  return {
    statuses: recordStatusCallback.mock.calls.length,
    messages: receiveInbound.mock.calls.length,
  };
}

test('a signed event that the service does not handle is answered with 200 on both paths, and nothing is recorded', async () => {
  expect(await postToBoth({})).toEqual({ statuses: 0, messages: 0 });
});

test('a status or a message is recorded whether it arrives at the status URL or at the inbound URL of its account', async () => {
  const callback = { messageId: '01a1f8f1-54f4-7000-b000-03e09a2e335d', sid: 'S1', status: 'sent' };
  const readStatusCallback = () => ({ kind: 'read', content: callback as never }) as const;
  const readInbound = () => ({ kind: 'read', content: {} as never }) as const;
  expect(await postToBoth({ readStatusCallback })).toEqual({ statuses: 2, messages: 0 });
  expect(await postToBoth({ readInbound })).toEqual({ statuses: 0, messages: 2 });
});
