import { expect, test } from 'vitest';

import { createProviderRegistry, readApiUrls } from './provider-registry.ts';
import { VENDORS, listVendors, toWebhookPath } from './vendors.ts';

test('the registry has the adapter of each vendor under its type, and null for any other type', async () => {
  const registry = await createProviderRegistry({ apiUrls: {}, callTimeoutMs: 1_000 });
  expect(registry.adapters.map(({ type }) => type)).toEqual(Object.keys(VENDORS));
  for (const [type, { webhooks }] of listVendors()) {
    // The description and the adapter agree on whether the vendor calls webhooks, and under which paths.
    const paths = webhooks && {
      status: toWebhookPath(type, `:${webhooks.address}`, 'status'),
      inbound: toWebhookPath(type, `:${webhooks.address}`, 'inbound'),
    };
    expect(registry.get(type)?.webhooks?.paths ?? null, type).toEqual(paths);
  }
  expect(registry.get('carrier-pigeon')).toBeNull();
  expect(registry.get('constructor')).toBeNull();
  await registry.close();
});

test('a provider’s API URL is read from the setting `<TYPE>_API_URL`', () => {
  const settings = { TWILIO_API_URL: 'http://127.0.0.1:1', PUBLIC_URL: 'x', SWEEP_MS: 1_000 };
  expect(readApiUrls(settings)).toEqual({ twilio: 'http://127.0.0.1:1' });
});

test.each([
  'https://twilio.example/with/a/path',
  'https://user:secret@twilio.example',
  'https://twilio.example/?query',
  'ftp://twilio.example',
  'twilio.example',
])('the API URL %s is refused because it is not an http(s) origin', async (twilio) => {
  await expect(
    createProviderRegistry({ apiUrls: { twilio }, callTimeoutMs: 1_000 }),
  ).rejects.toThrow(TypeError);
});
