import { verify } from 'node:crypto';
import type { SendRequest } from '@switchboard/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createVonageAdapter } from '../../src/vonage/vonage-adapter.ts';
import { respond, type FaultServer, startFaultServer } from '../fault-server.ts';
import { createVonageAccount, signVonageBody, VONAGE_KEYS } from '@switchboard/testing/webhooks';
import { requirePart } from '../require-part.ts';
import { readCredentials } from '../read-credentials.ts';

const APPLICATION = 'bf0ca0bf-5c5b-4a5b-9a5f-1f0a5f6f0001';
const account = createVonageAccount(APPLICATION, 'a-signature-secret');
const request: SendRequest = {
  messageId: '0197a000-0000-7000-8000-000000000001',
  attempt: 1,
  to: '+447700900001',
  from: '+447700900000',
  body: 'Hello',
  mediaUrls: [],
  statusUrl: 'https://x.example/api/webhooks/vonage/p/status?message=m&attempt=1',
};

let server: FaultServer;
let adapter: ReturnType<typeof createVonageAdapter>;

beforeEach(async () => {
  server = await startFaultServer((received) => respond(received, 202, { message_uuid: 'u1' }));
  adapter = createVonageAdapter({ apiUrl: server.url, callTimeoutMs: 15_000 });
});

afterEach(async () => {
  await adapter.close();
  await server.close();
});

async function send(changes: Partial<SendRequest> = {}) {
  const outcome = await adapter.send(account, { ...request, ...changes }, () => true);
  expect(outcome).toMatchObject({ kind: 'accepted', message: { sid: 'u1', status: 'queued' } });
  return JSON.parse(server.requests.at(-1)?.body ?? '') as unknown;
}

test('a send names our message as the reference of all its status webhooks', async () => {
  expect(await send()).toEqual({
    channel: 'sms',
    message_type: 'text',
    text: 'Hello',
    to: '447700900001',
    from: '447700900000',
    client_ref: request.messageId,
    webhook_url: request.statusUrl,
    webhook_version: 'v1',
  });
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/messages' });
});

test('a send is signed with the private key of the application', async () => {
  await send();
  const token = server.requests[0]?.headers.get('authorization')?.replace('Bearer ', '') ?? '';
  const [header = '', claims = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify('sha256', signed, VONAGE_KEYS.publicKey, Buffer.from(signature, 'base64url'))).toBe(
    true,
  );
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  expect(decode(header)).toEqual({ typ: 'JWT', alg: 'RS256' });
  expect(decode(claims)).toMatchObject({
    application_id: APPLICATION,
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.any(String),
  });
});

test.each([
  ['cat.png', 'image'],
  ['cat.MP4?size=1', 'video'],
  ['cat.vcf', 'vcard'],
  ['cat', 'image'],
])('a file named %s is sent as the type %s', async (name, type) => {
  const url = `https://x.example/${name}`;
  const body = await send({ mediaUrls: [url] });
  const file = { url, caption: 'Hello' };
  expect(body).toMatchObject({ channel: 'mms', message_type: type, [type]: file });
});

test('several files are sent as one message', async () => {
  const mediaUrls = ['https://x.example/1.png', 'https://x.example/2.mp4'];
  expect(await send({ mediaUrls })).toMatchObject({
    channel: 'mms',
    message_type: 'content',
    content: [
      { type: 'image', url: mediaUrls[0], caption: 'Hello' },
      { type: 'video', url: mediaUrls[1] },
    ],
  });
});

test('a message without a sender is withheld from Vonage', async () => {
  const outcome = await adapter.send(account, { ...request, from: null }, () => true);
  expect(outcome).toMatchObject({ kind: 'withheld', code: 'no_sender', isAccountOnly: true });
  expect(server.requests).toEqual([]);
});

test('a private key that is not a long enough RSA key is refused with an error that names the parameter', () => {
  const input = { application_id: APPLICATION, signature_secret: 'a-secret' };
  for (const key of ['nonsense', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----']) {
    expect(() => readCredentials(adapter, { ...input, private_key: key })).toThrow(/`private_key`/);
  }
});

const inbound = JSON.stringify({
  channel: 'mms',
  message_uuid: 'u2',
  from: '447700900001',
  to: '85501',
  message_type: 'image',
  image: { url: 'https://media.example/1.png', caption: 'Look' },
});

test('a received file has its caption as the text, and a short code has no plus sign', () => {
  expect(
    requirePart(adapter, 'webhooks').readInbound(account, signVonageBody(account, inbound)),
  ).toMatchObject({
    kind: 'read',
    content: {
      from: '+447700900001',
      to: '85501',
      body: 'Look',
      media: [{ url: 'https://media.example/1.png', content_type: 'image/png' }],
    },
  });
});

test.each([
  ['of another application of the same account', { claims: { application_id: 'other' } }],
  ['without the hash of its body', { claims: { payload_hash: undefined } }],
  ['without a time', { claims: { iat: undefined } }],
  ['with another algorithm', { header: { alg: 'none' } }],
])('a webhook %s is treated as forged', (_name, options) => {
  const signed = signVonageBody(account, inbound, options);
  expect(requirePart(adapter, 'webhooks').readInbound(account, signed)).toEqual({ kind: 'forged' });
});

test('no webhook is accepted for an account without a signature secret', () => {
  const open = createVonageAccount(APPLICATION, '');
  expect(requirePart(adapter, 'webhooks').readInbound(open, signVonageBody(open, inbound))).toEqual(
    { kind: 'forged' },
  );
});

test('an account is verified by a refused send, and refused by a 401', async () => {
  const problem = (code: string) => ({
    type: `https://developer.vonage.com/api-errors#${code}`,
    title: 'No',
  });
  server.onRequest = (received) => respond(received, 422, problem('1010'));
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: true });
  server.onRequest = (received) => respond(received, 401, problem('unauthorized'));
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: false, isRefused: true });
});
