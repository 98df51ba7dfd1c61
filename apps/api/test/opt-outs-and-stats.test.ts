import { optOut, optOutList, stats } from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, shareService } from './start-service.ts';
import { type WorkspaceClient, clientOf, dataOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let client: WorkspaceClient;

beforeAll(async () => {
  service = await shareService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
  client = clientOf(service, workspace, workspace.sessionToken);
});

describe('opt-outs', () => {
  const NUMBER = '+15557654321';
  const send = (to: string) =>
    ask(service.url, '/api/messages', { token: workspace.apiKey, json: { to, body: 'Hello' } });

  test('a conversation shows whether its number has opted out', async () => {
    await send(NUMBER);
    const read = async () => (await client(`/conversations/${NUMBER}`)).json?.['opted_out'];
    expect(await read()).toBe(false);
    await client('/opt-outs', { json: { number: NUMBER } });
    expect(await read()).toBe(true);
    expect((await client('/conversations')).json).toMatchObject({ data: [{ opted_out: true }] });
    await client(`/opt-outs/${encodeURIComponent(NUMBER)}`, { method: 'DELETE' });
    expect(await read()).toBe(false);
  });

  test('an opt-out that a user adds blocks sends of its workspace to the number until it is deleted', async () => {
    const added = await client('/opt-outs', { json: { number: NUMBER } });
    expect(added.status).toBe(201);
    expect(optOut.strict().parse(added.json)).toMatchObject({ number: NUMBER, reason: 'manual' });
    expectRefusal(await send(NUMBER), 400, 'recipient_opted_out');
    expect((await send('+15557654322')).status).toBe(201);

    const other = await service.addWorkspace();
    const theirs = await ask(service.url, '/api/messages', {
      token: other.apiKey,
      json: { to: NUMBER, body: 'Hello' },
    });
    expect(theirs.status).toBe(201);

    expectRefusal(await client('/opt-outs', { json: { number: NUMBER } }), 400, 'already_exists');
    const path = `/opt-outs/${encodeURIComponent(NUMBER)}`;
    const deleted = await client(path, { method: 'DELETE' });
    expect([deleted.status, deleted.json]).toEqual([200, { ok: true }]);
    expect((await send(NUMBER)).status).toBe(201);
    expectRefusal(await client(path, { method: 'DELETE' }), 404, 'not_found');
  });

  test('opt-outs are listed newest first in pages', async () => {
    for (let n = 0; n < 5; n += 1) {
      const json = { number: `+1555000000${n}`, reason: ` asked by phone ${n} ` };
      expect((await client('/opt-outs', { json })).status).toBe(201);
    }
    const page = optOutList.strict().parse((await client('/opt-outs?limit=2&page=2')).json);
    expect(page.data.map(({ number, reason }) => [number, reason])).toEqual([
      ['+15550000002', 'asked by phone 2'],
      ['+15550000001', 'asked by phone 1'],
    ]);
    expect(page.pagination).toEqual({
      currentPage: 2,
      totalPages: 3,
      totalItems: 5,
      hasNext: true,
    });
    // The plus sign of a number in a path may be unencoded.
    const deleted = await client('/opt-outs/+15550000004', { method: 'DELETE' });
    expect(deleted.status).toBe(200);
    expect(dataOf(await client('/opt-outs'))).toHaveLength(4);
  });
});

const DAY_MS = 86_400_000;

describe('statistics', () => {
  async function addMessage(at: string, status: string, owner = workspace.workspaceId) {
    const direction = status === 'received' ? 'inbound' : 'outbound';
    await service.sql(
      `INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status,
         created_at, updated_at, dispatch)
       VALUES (uuid_v7($1), $2, $3, '+15551234567', 'Hello', 1, $4, $1, $1, 'accepted')`,
      [at, owner, direction, status],
    );
  }
  /** Stores delivered messages with these times of creation. */
  async function addMessages(times: readonly Date[]) {
    await service.sql(
      `INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status,
         created_at, updated_at, dispatch)
       SELECT uuid_v7(at), $1, 'outbound', '+15551234567', 'Hello', 1, 'delivered', at, at, 'accepted'
       FROM unnest($2::timestamptz[]) at`,
      [workspace.workspaceId, times],
    );
  }
  const readStats = async (query: string) =>
    stats.strict().parse((await client(`/stats${query}`)).json);

  test('statistics count messages by interval, direction and status, from `from` to before `to`', async () => {
    await addMessage('2026-03-01T00:00:00.000Z', 'delivered');
    await addMessage('2026-03-01T23:59:59.999Z', 'delivered');
    await addMessage('2026-03-01T12:00:00.000Z', 'failed');
    await addMessage('2026-03-03T01:00:00.000Z', 'received');
    // Outside the time range, and in another workspace.
    await addMessage('2026-02-28T23:59:59.999Z', 'sent');
    await addMessage('2026-03-04T00:00:00.000Z', 'sent');
    const other = await service.addWorkspace();
    await addMessage('2026-03-02T00:00:00.000Z', 'sent', other.workspaceId);

    expect(await readStats('?from=2026-03-01&to=2026-03-04')).toEqual({
      interval: 'day',
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-04T00:00:00.000Z',
      data: [
        {
          start: '2026-03-01T00:00:00.000Z',
          counts: [
            { direction: 'outbound', status: 'failed', count: 1 },
            { direction: 'outbound', status: 'delivered', count: 2 },
          ],
        },
        { start: '2026-03-02T00:00:00.000Z', counts: [] },
        {
          start: '2026-03-03T00:00:00.000Z',
          counts: [{ direction: 'inbound', status: 'received', count: 1 }],
        },
      ],
    });
  });

  test('the first hour of the statistics begins at `from`', async () => {
    await addMessage('2026-03-01T10:10:00.000Z', 'sent');
    await addMessage('2026-03-01T10:40:00.000Z', 'sent');
    await addMessage('2026-03-01T11:00:00.000Z', 'sent');
    const counted = await readStats(
      '?interval=hour&from=2026-03-01T12:30:00%2B02:00&to=2026-03-01T11:00:00.001Z',
    );
    const one = [{ direction: 'outbound', status: 'sent', count: 1 }];
    expect(counted.data).toEqual([
      { start: '2026-03-01T10:00:00.000Z', counts: one },
      { start: '2026-03-01T11:00:00.000Z', counts: one },
    ]);
  });

  test.each([
    ['Europe/Berlin', '2026-03-26T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['America/Los_Angeles', '2026-03-06T20:00:00.000Z', '2026-03-11T00:00:00.001Z'],
    ['Asia/Kolkata', '2026-03-01T18:30:00.000Z', '2026-03-04T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-03-01T05:00:00.000Z', '2026-03-04T05:00:00.000Z'],
    ['UTC', '2026-03-01T10:00:00.000Z', '2026-03-01T10:30:00.000Z'],
  ])(
    'a day of the statistics in the time zone %s lasts from midnight to midnight',
    async (zone, from, to) => {
      const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
      // Every 25 minutes and at each full hour, from a day before to a day after.
      const times = Array.from(
        { length: (toMs - fromMs + 2 * DAY_MS) / 1_500_000 },
        (_, n) => new Date(fromMs - DAY_MS + n * 1_500_000),
      ).flatMap((at) => [at, new Date(Math.ceil(at.getTime() / 3_600_000) * 3_600_000)]);
      await addMessages(times);
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
      const expected = new Map<string, number>();
      for (const at of times.filter((time) => time >= new Date(from) && time < new Date(to))) {
        expected.set(day.format(at), (expected.get(day.format(at)) ?? 0) + 1);
      }
      const query = new URLSearchParams({ from, to, time_zone: zone });
      const counted = await readStats(`?${query.toString()}`);
      expect(
        counted.data.map(({ start, counts }) => [
          day.format(new Date(start)),
          counts.map(({ status, count }) => [status, count]),
        ]),
      ).toEqual([...expected].map(([name, count]) => [name, [['delivered', count]]]));
    },
  );

  test('statistics cover the last thirty days by default', async () => {
    const sent = await ask(service.url, '/api/messages', {
      token: workspace.apiKey,
      json: { to: '+15557654322', body: 'Hello' },
    });
    expect(sent.status).toBe(201);
    const counted = await readStats('');
    expect(counted.data.length).toBeGreaterThanOrEqual(30);
    expect(counted.data.at(-1)?.counts).toEqual([
      { direction: 'outbound', status: 'queued', count: 1 },
    ]);
  });
});
