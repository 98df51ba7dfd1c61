import { type ProviderWebhooks, createUuidV7 } from '@switchboard/core';
import { createProviderRegistry } from '@switchboard/providers';
import {
  createTelnyxAccount,
  createVonageAccount,
  formatTelnyxEvent,
  signTelnyxBody,
  signTelnyxWebhook,
  signVonageWebhook,
} from '@switchboard/testing/webhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { readAtInboundUrl, readAtStatusUrl } from './read-event.ts';

const messageId = createUuidV7(Date.now());
const STATUS = { kind: 'status', sid: 'm1', messageId, rawStatus: 'delivered' } as const;
const MESSAGE = {
  kind: 'inbound',
  sid: 'm2',
  from: '+14155550123',
  to: '+14155550100',
  text: 'Hello',
} as const;

const registry = await createProviderRegistry({ apiUrls: {}, callTimeoutMs: 1_000 });
afterAll(() => registry.close());

function webhooksOf(type: string): ProviderWebhooks {
  const adapter = registry.get(type);
  if (!adapter?.webhooks) throw new Error(`no webhooks of ${type}`);
  return adapter.webhooks;
}

describe.each([
  ['telnyx', createTelnyxAccount('KEY'), signTelnyxWebhook],
  ['vonage', createVonageAccount('a1b2', 'secret'), signVonageWebhook],
] as const)('%s', (type, account, sign) => {
  const webhooks = webhooksOf(type);

  test(`a ${type} status that arrives at the inbound URL is read as the status of its message`, () => {
    const signed = sign(account, STATUS, Date.now());
    expect(readAtInboundUrl(webhooks, account, signed)).toMatchObject({
      kind: 'read',
      content: { kind: 'status', callback: { messageId, sid: 'm1', status: 'delivered' } },
    });
  });

  test(`a ${type} message that arrives at the status URL is read as a received message`, () => {
    const signed = sign(account, MESSAGE, Date.now());
    expect(readAtStatusUrl(webhooks, account, signed)).toMatchObject({
      kind: 'read',
      content: { kind: 'inbound', message: { sid: 'm2', body: 'Hello', to: MESSAGE.to } },
    });
  });

  test(`a ${type} webhook at the other URL with the signature of another account is forged`, () => {
    const stranger =
      type === 'telnyx' ? createTelnyxAccount('KEY') : createVonageAccount('a1b2', 'another');
    const status = sign(stranger, STATUS, Date.now());
    const message = sign(stranger, MESSAGE, Date.now());
    expect(readAtInboundUrl(webhooks, account, status)).toEqual({ kind: 'forged' });
    expect(readAtStatusUrl(webhooks, account, message)).toEqual({ kind: 'forged' });
  });
});

test('the status of a message that the provider sent on its own is ignored at the inbound URL', () => {
  const account = createTelnyxAccount('KEY');
  const payload = {
    id: 'm3',
    to: [{ phone_number: '+14155550123', status: 'delivered' }],
    webhook_url: 'https://x.example/api/webhooks/telnyx/p/inbound',
  };
  const signed = signTelnyxBody(account, formatTelnyxEvent('status', payload));
  expect(readAtInboundUrl(webhooksOf('telnyx'), account, signed)).toEqual({
    kind: 'ignored',
    event: 'message.finalized',
  });
});
