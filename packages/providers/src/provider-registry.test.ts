import { expect, test } from 'vitest';

import { createProviderRegistry } from './provider-registry.ts';

test('gives the adapter of a type it knows, and null for any other', async () => {
  const registry = createProviderRegistry({ twilioApiUrl: null, callTimeoutMs: 1_000 });
  expect(registry.types).toEqual(['twilio']);
  expect(registry.get('twilio')?.type).toBe('twilio');
  expect(registry.get('carrier-pigeon')).toBeNull();
  expect(registry.get('constructor')).toBeNull();
  await registry.close();
});

test.each([
  'https://twilio.example/with/a/path',
  'https://user:secret@twilio.example',
  'https://twilio.example/?query',
  'ftp://twilio.example',
  'twilio.example',
])('refuses %s as the address of the Twilio API', (twilioApiUrl) => {
  expect(() => createProviderRegistry({ twilioApiUrl, callTimeoutMs: 1_000 })).toThrow(TypeError);
});
