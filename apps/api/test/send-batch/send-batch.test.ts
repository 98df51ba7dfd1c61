import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { openBatches } from '../open-batches.ts';
import { ask, expectRefusal } from '../start-service.ts';
import { PNG } from '../media-samples.ts';
import {
  PATH,
  TO,
  countMessages,
  listSends,
  outcomesOf,
  resultsOf,
  sendBatch,
  service,
  useBatchService,
  workspace,
} from './environment.ts';
import { describeBatchBodies } from './bodies.suite.ts';
import { describeBatchKeys } from './keys.suite.ts';
import { describeBatchFailures } from './failures.suite.ts';

useBatchService();

// The suites share the API processes.
describeBatchBodies();
describeBatchKeys();
describeBatchFailures();

const OPTED_OUT = '+15551239999';
const optOut = () =>
  service.sql(
    `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, $2, 'STOP', now())
     ON CONFLICT DO NOTHING`,
    [workspace.workspaceId, OPTED_OUT],
  );

describe('results of a batch', () => {
  test('each send of a batch has its own result, in the order of the request, and the accepted ones are stored before the response', async () => {
    await optOut();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const response = await sendBatch({
      messages: [
        { to: TO, body: 'first' },
        { to: 'nobody', body: 'x' },
        { to: TO },
        { to: OPTED_OUT, body: 'x' },
        { to: TO, body: 'x', from: '+15005550077' },
        7,
        { to: TO, body: 'later', scheduled_at: later },
        { to: TO, body: '', media_urls: ['https://a.example/1'] },
        { to: TO, body: 'x', media_urls: ['media:01920000-0000-7000-8000-000000000000'] },
        { to: TO, body: 'x', repeat_of: 'SM1' },
        { to: TO, body: 'last' },
      ],
    });
    expect(outcomesOf(response)).toEqual([
      'stored',
      'invalid_params',
      'missing_params',
      'recipient_opted_out',
      'forbidden',
      'missing_params',
      'stored',
      'stored',
      'invalid_params',
      'invalid_params',
      'stored',
    ]);
    const results = resultsOf(response);
    expect(results[0]).toStrictEqual({
      id: results[0]?.['id'],
      sid: results[0]?.['id'],
      status: 'queued',
    });
    expect(results[6]).toMatchObject({ status: 'scheduled' });
    const bodies = await service.sql('SELECT body FROM messages WHERE id = ANY($1) ORDER BY id', [
      results.flatMap(({ id }) => id ?? []),
    ]);
    expect(bodies).toEqual(['first', 'later', '', 'last'].map((body) => ({ body })));
  });

  test('one message for many recipients has a result for each of them, and an error in what they share refuses the whole batch', async () => {
    const before = await countMessages();
    const response = await sendBatch({ to: [TO, 'nobody', '', '+15551230002'], body: 'For all' });
    expect(outcomesOf(response)).toEqual(['stored', 'invalid_params', 'missing_params', 'stored']);
    expectRefusal(await sendBatch({ to: [TO], body: 7 }), 400, 'invalid_params', /^`body`/);
    expectRefusal(await sendBatch({ to: [TO] }), 400, 'missing_params', /`body`/);
    expectRefusal(
      await sendBatch({ to: [TO], body: 'x', idempotency_key: 'k' }),
      400,
      'invalid_params',
      /^`idempotency_key`/,
    );
    expect(await countMessages()).toBe(before + 2);
  });

  test('the messages of a batch may have uploaded files, and use only those of the workspace', async () => {
    const upload = await ask(service.url, '/api/media', {
      token: workspace.apiKey,
      raw: new Uint8Array(PNG),
      headers: { 'content-type': 'image/png' },
    });
    expect(upload.status).toBe(201);
    const url = String(upload.json?.['url']);
    const messages = [
      ...listSends(3, { media_urls: [url] }),
      { to: TO, body: 'x', media_urls: [url, `media:${crypto.randomUUID()}`] },
    ];
    const response = await sendBatch({ messages });
    expect(outcomesOf(response)).toEqual(['stored', 'stored', 'stored', 'invalid_params']);
    expect(resultsOf(response)[3]?.['detail']).toMatch(/^`media_urls\[1\]`/);
    const [uses] = await service.sql(
      `SELECT count(*)::int AS n FROM media_uses WHERE message_id = ANY($1::uuid[])`,
      [resultsOf(response).flatMap(({ id }) => id ?? [])],
    );
    expect(uses).toEqual({ n: 3 });
  });

  test('a batch with a session is sent by the user, and only a member may send one', async () => {
    const other = await service.addWorkspace();
    const path = `/api/ui/workspaces/${workspace.workspaceId}/messages/batch`;
    const sent = await sendBatch(
      { messages: listSends(2) },
      { path, token: workspace.sessionToken },
    );
    const [id] = resultsOf(sent).map((result) => result['id']);
    const { json } = await ask(service.url, `/api/messages/${String(id)}`, {
      token: workspace.apiKey,
    });
    expect(json).toMatchObject({ sent_by: { type: 'user', id: workspace.userId } });
    const theirs = await sendBatch({ messages: listSends(2) }, { path, token: other.sessionToken });
    expectRefusal(theirs, 403, 'forbidden');
  });

  test('each message of a batch has its event, and a repeat in a batch names the first message', async () => {
    const own = await service.addWorkspace();
    const results = resultsOf(await sendBatch({ messages: listSends(250) }, { token: own.apiKey }));
    const rows = await service.sql<{ id: string }>(
      `SELECT message_id AS id FROM message_events WHERE workspace_id = $1`,
      [own.workspaceId],
    );
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(results.map(({ id }) => id)));
    expect(rows).toHaveLength(250);
    const repeat = resultsOf(
      await sendBatch(
        { messages: listSends(2, { repeat_of: results[0]?.['id'] }) },
        { token: own.apiKey },
      ),
    );
    const { json } = await ask(service.url, `/api/messages/${String(repeat[1]?.['id'])}`, {
      token: own.apiKey,
    });
    expect(json).toMatchObject({ repeat_of: results[0]?.['id'] });
  });

  test('a batch beyond the quota of its workspace is refused until another one ends', async () => {
    const [busy, other] = [await service.addWorkspace(), await service.addWorkspace()];
    const open = await openBatches(service.url, PATH, busy.apiKey);
    const send = (token: string) => sendBatch({ messages: listSends(1) }, { token });
    expectRefusal(await send(busy.apiKey), 403, 'quota_exceeded', /^The quota of 20 batches/);
    expect(outcomesOf(await send(other.apiKey))).toEqual(['stored']);
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await send(busy.apiKey)).status, EVENTUALLY).toBe(201);
  });

  test('while a workspace sends 15 batches of 1,000, every send of another workspace is accepted, and before the last batch is stored', async () => {
    const [busy, other] = [await service.addWorkspace(), await service.addWorkspace()];
    let stored = 0;
    const batches = Array.from({ length: 15 }, async () => {
      const response = await sendBatch({ messages: listSends(1_000) }, { token: busy.apiKey });
      stored += 1;
      return response;
    });
    const storedBefore: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const response = await ask(service.url, '/api/messages', {
        token: other.apiKey,
        json: { to: TO, body: `n ${n}` },
      });
      expect(response.status).toBe(201);
      storedBefore.push(stored);
    }
    const responses = await Promise.all(batches);
    expect(responses.flatMap(outcomesOf).every((outcome) => outcome === 'stored')).toBe(true);
    expect(Math.max(...storedBefore)).toBeLessThan(15);
    expect(await countMessages(busy.workspaceId)).toBe(15_000);
  }, 120_000);
});
