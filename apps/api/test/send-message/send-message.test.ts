import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import {
  TO,
  service,
  workspace,
  send,
  read,
  refusedSends,
  useSendingService,
} from './environment.ts';
import { describeContents } from './contents.suite.ts';
import { describeParameters } from './parameters.suite.ts';
import { describeReferences } from './references.suite.ts';
import { describeRepeats } from './repeats.suite.ts';
import { describeEncodings } from './encodings.suite.ts';
import { describeOrderOfChecks } from './order-of-checks.suite.ts';

useSendingService();

// The suites share one API process.
describeContents();
describeParameters();
describeOrderOfChecks();
describeRepeats();
describeReferences();
describeEncodings();

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('accepted messages', () => {
  test('an accepted message is answered with exactly id, sid and the status queued', async () => {
    const { status, json, headers } = await send({ to: TO, body: 'Hello' });
    expect(status).toBe(201);
    const id = json?.['id'];
    expect(json).toStrictEqual({ id, sid: id, status: 'queued' });
    expect(id).toMatch(UUID_V7);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  test('an accepted message is stored with its event before the response', async () => {
    const { json } = await send({ to: TO, body: 'Stored first' });
    const rows = await service.sql(
      `SELECT m.status, e.type, e.seq FROM messages m JOIN message_events e ON e.message_id = m.id
       WHERE m.id = $1`,
      [json?.['id']],
    );
    expect(rows).toEqual([expect.objectContaining({ status: 'queued', type: 'created' })]);
  });

  test('a message without a sender is sent from the default number', async () => {
    const own = await service.addWorkspace({ from: '+15005550006' });
    await service.sql(
      `INSERT INTO phone_numbers (id, workspace_id, number, capabilities, created_at)
       VALUES (gen_random_uuid(), $1, '+15005550099', '{}', now())`,
      [own.workspaceId],
    );
    for (const [given, stored] of [
      [undefined, '+15005550006'],
      ['+15005550099', '+15005550099'],
    ]) {
      const response = await ask(service.url, '/api/messages', {
        token: own.apiKey,
        json: { to: TO, body: 'x', from: given },
      });
      const [row] = await service.sql('SELECT "from" FROM messages WHERE id = $1', [
        response.json?.['id'],
      ]);
      expect(row).toEqual({ from: stored });
    }
  });

  test('a message has no sender if only a messaging service is configured', async () => {
    const own = await service.addWorkspace({
      from: null,
      messagingServiceSid: `MG${'0'.repeat(32)}`,
    });
    const sent = await ask(service.url, '/api/messages', {
      token: own.apiKey,
      json: { to: TO, body: 'x' },
    });
    expect(sent.status).toBe(201);
    const id = String(sent.json?.['id']);
    const { json } = await ask(service.url, `/api/messages/${id}`, { token: own.apiKey });
    expect(json).toMatchObject({ from: null, provider_sid: null });
  });

  test('unknown fields of a message are ignored', async () => {
    const { json, status } = await send({
      to: TO,
      body: 'known',
      status: 'delivered',
      id: '00000000-0000-7000-8000-000000000000',
      direction: 'inbound',
      workspace_id: 'x',
      nested: { deep: [1, 2, 3] },
    });
    expect(status).toBe(201);
    expect(json?.['id']).not.toBe('00000000-0000-7000-8000-000000000000');
    expect(await read(json?.['id'])).toMatchObject({ direction: 'outbound', status: 'queued' });
  });

  test('a message is returned with exactly the documented fields', async () => {
    const { json } = await send({ to: TO, body: 'All fields' });
    const message = await read(json?.['id']);
    expect(message).toStrictEqual({
      id: json?.['id'],
      mode: 'live',
      direction: 'outbound',
      to: TO,
      from: workspace.from,
      body: 'All fields',
      status: 'queued',
      provider_sid: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
      error_code: null,
      error_detail: null,
      media: [],
      segments: 1,
      scheduled_at: null,
      sent_at: null,
      delivered_at: null,
      provider: null,
      sent_by: { type: 'api_key', id: workspace.apiKeyId, name: 'Test' },
      repeat_of: null,
      reference: null,
      metadata: {},
      encoding: 'as_is',
      repeated_as: [],
      events: [
        {
          id: expect.any(String),
          type: 'created',
          status: 'queued',
          at: message['created_at'],
          detail: null,
        },
      ],
    });
  });
});

describe('sends from the dashboard', () => {
  test('sends from the dashboard follow the same rules and require membership', async () => {
    const other = await service.addWorkspace();
    const path = `/api/ui/workspaces/${workspace.workspaceId}/messages`;
    const json = { to: TO, body: 'from the dashboard' };
    const sent = await ask(service.url, path, { token: workspace.sessionToken, json });
    expect(sent.status).toBe(201);
    expect(sent.json).toStrictEqual({
      id: sent.json?.['id'],
      sid: sent.json?.['id'],
      status: 'queued',
    });
    expect(await read(sent.json?.['id'])).toMatchObject(json);

    expectRefusal(
      await ask(service.url, path, { token: other.sessionToken, json }),
      403,
      'forbidden',
    );
    expectRefusal(
      await ask(service.url, path, { token: workspace.apiKey, json }),
      401,
      'unauthorized',
    );
    expectRefusal(
      await ask(service.url, path, { token: workspace.sessionToken, json: {} }),
      400,
      'missing_params',
    );
    // Membership is checked before parameters.
    expectRefusal(
      await ask(service.url, path, { token: other.sessionToken, json: {} }),
      403,
      'forbidden',
    );
  });
});

// The last test, because it repeats what the others sent.
test('a send that is refused alone is refused in a batch with the same error and detail', async () => {
  expect(refusedSends.length).toBeGreaterThan(0);
  const response = await ask(service.url, '/api/messages/batch', {
    token: workspace.apiKey,
    json: { messages: refusedSends.map(({ json }) => json) },
  });
  expect(response.status).toBe(201);
  expect(response.json?.['results']).toEqual(refusedSends.map(({ error }) => error));
});
