import { createWorkspaceFixture } from '@switchboard/testing';
import {
  createTelnyxAccount,
  formatTelnyxEvent,
  signTelnyxBody,
} from '@switchboard/testing/webhooks';
import { describe, expect, test } from 'vitest';
import { ARRIVED, clientsOf, control, countAttempts, useService } from './start-service.ts';

const TO = '+14155550100';

const service = useService(({ providerUrls }) => ({
  TELNYX_API_URL: providerUrls.telnyx,
  VONAGE_API_URL: providerUrls.vonage,
}));

let numbers = 0;

/** Creates a workspace whose only account is a simulated one at the vendor. */
async function createWorkspace(type: 'telnyx' | 'vonage') {
  const { api, database } = service;
  const { credentials } = (await control(service, 'accounts', { type })).body;
  const from = `+1555777000${(numbers += 1)}`;
  const workspace = await createWorkspaceFixture(database.url, { provider: false, from });
  const clients = clientsOf(service, workspace);
  const { asOwner } = clients;

  const added = await asOwner('POST', '/providers', { type, credentials, on_unknown: 'fail' });
  expect(added).toMatchObject({ status: 201, body: { type, evidence: { look_up: 'none' } } });
  const inboundUrl = `${api.url}/api/webhooks/${type}/${String(added.body['id'])}/inbound`;
  expect(await asOwner('POST', `/providers/${String(added.body['id'])}/verify`)).toMatchObject({
    body: { ok: true },
  });
  // At Vonage, the owner enters the URL in the dashboard.
  if (type === 'vonage') {
    await control(service, 'accounts', { type, credentials, inbound_url: inboundUrl });
  }
  return { ...clients, from, inboundUrl };
}

describe.each(['telnyx', 'vonage'] as const)('%s', (type) => {
  test(`a workspace with a ${type} account sends messages, receives statuses and messages, and honors opt-outs`, async () => {
    const { from, asOwner, asProgram, inboundUrl, send, read } = await createWorkspace(type);
    const sent = await send(TO);
    await expect
      .poll(() => read(sent['id']), ARRIVED)
      .toMatchObject({
        status: 'delivered',
        provider_sid: expect.stringMatching(/\S/),
      });

    if (type === 'telnyx') {
      // Set in the background after the account was added.
      await expect
        .poll(async () => (await asOwner('GET', '/numbers')).body, ARRIVED)
        .toMatchObject({ data: [{ inbound_wired: true }] });
    }
    const received = await control(service, 'inbound', { to: from, from: TO, body: 'Hi' });
    expect(received).toMatchObject({ body: { status: 200 } });
    const { body } = await asProgram('GET', '/api/messages?direction=inbound');
    expect(body).toMatchObject({ messages: [{ body: 'Hi', from: TO, to: from }] });
    const forged = await fetch(inboundUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        authorization: 'Bearer a.b.c',
        'telnyx-timestamp': '1',
        'telnyx-signature-ed25519': 'x',
      },
      body: '{}',
    });
    expect(forged.status).toBe(403);

    const refused = await send('+15005550004');
    await expect.poll(() => read(refused['id']), ARRIVED).toMatchObject({ status: 'failed' });
    expect(await send('+15005550004')).toMatchObject({ error: 'recipient_opted_out' });
  });

  test(`a ${type} message whose response was lost is identified by its status webhook and sent once`, async () => {
    const { send, read } = await createWorkspace(type);
    // Accepted, but the connection is reset without a response.
    const sent = await send('+15005550022');
    await expect.poll(() => read(sent['id']), ARRIVED).toMatchObject({ status: 'delivered' });
    const message = await read(sent['id']);
    expect(countAttempts(message)).toBe(1);
    expect(message['events']).toContainEqual(
      expect.objectContaining({ type: 'provider_accepted' }),
    );
  });
});

test('a Telnyx account with a public key that is not its own is refused, and webhooks with that key are not accepted even after a send', async () => {
  const { api, database } = service;
  const { credentials } = (await control(service, 'accounts', { type: 'telnyx' })).body;
  const forger = createTelnyxAccount('');
  const from = '+15557770009';
  const workspace = await createWorkspaceFixture(database.url, { provider: false, from });
  const { asOwner, asProgram, send, read } = clientsOf(service, workspace);
  const own = credentials as Record<string, string>;
  const account = { type: 'telnyx', credentials: { ...own, public_key: forger.vendorAccountId } };
  const strict = await fetch(`${api.url}/api/ui/workspaces/${workspace.workspaceId}/providers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${workspace.sessionToken}`,
      'content-type': 'application/json',
      prefer: 'handling=strict',
      connection: 'close',
    },
    body: JSON.stringify(account),
  });
  expect(strict.status).toBe(400);
  expect(await strict.text()).toMatch(
    /`credentials\.public_key` was refused .* whose public key is /,
  );

  const added = await asOwner('POST', '/providers', account);
  expect(added.status).toBe(201);
  const id = String(added.body['id']);
  const verified = await asOwner('POST', `/providers/${id}/verify`);
  expect(verified).toMatchObject({
    status: 200,
    body: {
      ok: false,
      detail: expect.stringContaining(`whose public key is ${own['public_key']}`),
    },
  });

  const sent = await send(TO);
  await expect
    .poll(() => read(sent['id']), ARRIVED)
    .toMatchObject({ provider_sid: expect.stringMatching(/\S/) });
  const payload = {
    id: 'forged',
    from: { phone_number: TO },
    to: [{ phone_number: from }],
    text: 'Forged',
    parts: 1,
    media: [],
  };
  const { body, headers } = signTelnyxBody(forger, formatTelnyxEvent('inbound', payload));
  const forged = await fetch(`${api.url}/api/webhooks/telnyx/${id}/inbound`, {
    method: 'POST',
    headers: { ...(headers as Record<string, string>), connection: 'close' },
    body,
  });
  expect(forged.status).toBe(403);
  const received = await asProgram('GET', '/api/messages?direction=inbound');
  expect(received).toMatchObject({ status: 200, body: { messages: [] } });
});
