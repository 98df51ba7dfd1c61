import { randomUUID } from 'node:crypto';
import type { WorkspaceFixture } from '@switchboard/testing';
import { formatTelnyxEvent } from '@switchboard/testing/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, shareService } from './start-service.ts';
import { type VendorAccount, addVendorAccount, signAs } from './vendor-account.ts';

let service: Service;
let workspace: WorkspaceFixture;
let telnyx: VendorAccount;
let vonage: VendorAccount;

beforeAll(async () => {
  service = await shareService();
  workspace = await service.addWorkspace();
  telnyx = await addVendorAccount(service.sql, workspace.workspaceId, 'telnyx');
  vonage = await addVendorAccount(service.sql, workspace.workspaceId, 'vonage');
});
afterAll(() => service.close());

const [US, THEM] = ['+14155550100', '+14155550123'];
const read = (path: string) => ask(service.url, path, { token: workspace.apiKey });

async function post(account: VendorAccount, kind: 'inbound' | 'status', raw: string) {
  const { vendor, id } = account;
  const response = await ask(service.url, `/api/webhooks/${vendor}/${id}/${kind}`, {
    raw,
    headers: signAs(account, raw),
  });
  expect(response.status).toBe(200);
}

async function receive(fields: object) {
  const id = randomUUID();
  const shared = { id, from: { phone_number: THEM }, to: [{ phone_number: US }] };
  await post(telnyx, 'inbound', formatTelnyxEvent('inbound', { ...shared, ...fields }));
  const { status, json } = await read('/api/messages?direction=inbound&limit=1');
  expect(status).toBe(200);
  const messages = (json?.['messages'] ?? []) as Record<string, unknown>[];
  return messages[0];
}

test('a received message keeps its text, its subject and its files if one file is unreadable, and that file is not found', async () => {
  const message = await receive({
    subject: 'Our trip',
    text: 'Look',
    media: [
      { url: null, content_type: 'image/jpeg' },
      { url: 'https://media.example/ada.vcf', content_type: 'text/vcard; charset=utf-8' },
    ],
  });
  expect(message).toMatchObject({
    body: 'Our trip\nLook',
    status: 'received',
    media: [
      { url: 'media:unreadable', content_type: 'image/jpeg' },
      { url: 'https://media.example/ada.vcf', content_type: 'text/vcard' },
    ],
  });
  expectRefusal(await read(`/api/messages/${String(message?.['id'])}/media/0`), 404, 'not_found');
});

test('the address of an unreadable file cannot be sent', async () => {
  const response = await ask(service.url, '/api/messages', {
    token: workspace.apiKey,
    json: { to: THEM, body: 'Look', media_urls: ['media:unreadable'] },
  });
  expectRefusal(response, 400, 'invalid_params', /`media_urls/);
});

test('an MMS whose text is STOP opts the sender out, whatever its subject is', async () => {
  const findOptOut = () =>
    service.sql('SELECT 1 FROM opt_outs WHERE workspace_id = $1 AND number = $2', [
      workspace.workspaceId,
      THEM,
    ]);
  expect(await findOptOut()).toHaveLength(0);
  expect(await receive({ subject: 'Re: Our trip', text: 'STOP', media: [{}] })).toMatchObject({
    body: 'Re: Our trip\nSTOP',
    media: [{ url: 'media:unreadable' }],
  });
  expect(await findOptOut()).toHaveLength(1);
});

test('an error that a provider reports in words alone is shown with the message', async () => {
  const sent = await ask(service.url, '/api/messages', {
    token: workspace.apiKey,
    json: { to: '+14155550177', body: 'Hello' },
  });
  expect(sent.status).toBe(201);
  const id = String(sent.json?.['id']);
  const fields = { message_uuid: randomUUID(), client_ref: id, status: 'undeliverable' };
  const error = { title: 'Absent subscriber' };
  await post(vonage, 'status', JSON.stringify({ ...fields, error }));
  expect((await read(`/api/messages/${id}`)).json).toMatchObject({
    status: 'undelivered',
    error_code: null,
    error_detail: 'Absent subscriber',
  });
});
