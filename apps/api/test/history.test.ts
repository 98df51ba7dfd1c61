import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import {
  type Answer,
  type Service,
  ask,
  expectRefusal,
  startService,
  upwards,
} from './start-service.ts';

interface Row {
  id: string;
  direction: string;
  status: string;
  from: string;
  to: string;
  created_at: string;
}

let service: Service;
let workspace: WorkspaceFixture;
let other: WorkspaceFixture;
/** The messages of the workspace, newest first. */
let rows: Row[];

const START = Date.parse('2026-03-01T00:00:00.000Z');
const STATUSES = [
  'queued',
  'sent',
  'delivered',
  'failed',
  'scheduled',
  'sending',
  'canceled',
  'undelivered',
  'read',
];

beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000' },
  });
  [workspace, other] = await Promise.all([service.addWorkspace(), service.addWorkspace()]);
  // 240 messages over ten days, with twelve at each time, so that the order must break ties.
  const insert = `
    INSERT INTO messages (id, workspace_id, direction, "to", "from", body, segments, status,
      created_at, updated_at, dispatch)
    SELECT uuid_v7(at), $1, (CASE WHEN n % 4 = 0 THEN 'inbound' ELSE 'outbound' END)::direction,
      '+1555000000' || (n % 3), '+1555100000' || (n % 2), 'Text ' || n, 1,
      (CASE WHEN n % 4 = 0 THEN 'received' ELSE $2::text[][1 + n % ${STATUSES.length}] END)::message_status,
      at, at, 'accepted'
    FROM generate_series(0, 239) n,
      LATERAL (SELECT to_timestamp($3 / 1000.0) + (n / 12) * interval '12 hours') AS t(at)`;
  for (const { workspaceId } of [workspace, other]) {
    await service.sql(insert.replace('$2::text[][', '($2::text[])['), [
      workspaceId,
      STATUSES,
      START,
    ]);
  }
  rows = await service.sql<Row>(
    `SELECT id, direction, status, "from", "to", created_at FROM messages
     WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
    [workspace.workspaceId],
  );
  if (rows.length !== 240) throw new Error(`There are ${rows.length} messages`);
});
afterAll(() => service.close());

const list = (query: string): Promise<Answer> =>
  ask(service.url, `/api/messages${query}`, { token: workspace.apiKey });

interface History {
  messages: Row[];
  pagination: { currentPage: number; totalPages: number; totalMessages: number; hasNext: boolean };
}

async function read(query: string): Promise<History> {
  const { json, status } = await list(query);
  expect([query, status]).toEqual([query, 200]);
  expect(Object.keys(json ?? {}).toSorted()).toEqual(['messages', 'pagination']);
  return json as unknown as History;
}

const idsOf = (messages: readonly { id: string }[]): string[] => messages.map(({ id }) => id);

describe('pages of the history', () => {
  test('a page has 50 messages by default, newest first, with ties sorted by id', async () => {
    const { messages, pagination } = await read('');
    expect(idsOf(messages)).toEqual(idsOf(rows.slice(0, 50)));
    expect(pagination).toStrictEqual({
      currentPage: 1,
      totalPages: 5,
      totalMessages: 240,
      hasNext: true,
    });
  });

  test.each([1, 7, 48, 60, 100])(
    'pages of %i messages show every message once and in order',
    async (limit) => {
      const seen: string[] = [];
      const pages = Math.ceil(240 / limit);
      const step = limit === 1 ? 60 : 1;
      for (let page = 1; page <= pages; page += step) {
        const { messages, pagination } = await read(`?limit=${limit}&page=${page}`);
        seen.push(...idsOf(messages));
        expect(pagination).toStrictEqual({
          currentPage: page,
          totalPages: pages,
          totalMessages: 240,
          hasNext: page < pages,
        });
      }
      if (step === 1) expect(seen).toEqual(idsOf(rows));
      else expect(seen).toEqual([rows[0]?.id, rows[60]?.id, rows[120]?.id, rows[180]?.id]);
    },
  );

  test.each(['101', '1000', '9'.repeat(40)])(
    'a page with a limit of %s has 100 messages',
    async (limit) => {
      const { messages, pagination } = await read(`?limit=${limit}`);
      expect(messages).toHaveLength(100);
      expect(pagination.totalPages).toBe(3);
    },
  );

  test.each(['6', '7', '1000000', '9007199254740993', `1${'0'.repeat(30)}`, '9'.repeat(400)])(
    'page %s beyond the last one is empty and has the right totals',
    async (page) => {
      const { messages, pagination } = await read(`?page=${page}`);
      expect(messages).toEqual([]);
      expect(pagination).toMatchObject({ totalPages: 5, totalMessages: 240, hasNext: false });
      expect(Number.isFinite(pagination.currentPage)).toBe(true);
    },
  );

  test.each([
    '0',
    '00',
    '-1',
    '1.5',
    '1.0',
    'abc',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    ' 1',
    '1%20',
    '%2B1',
    '1,2',
    '１',
    'null',
    'true',
    '[]',
    '1%00',
  ])('the page number or limit %s is refused with an error that names it', async (value) => {
    for (const parameter of ['page', 'limit']) {
      const answer = await list(`?${parameter}=${value}`);
      expectRefusal(answer, 400, 'invalid_params', new RegExp(`^\`${parameter}\``));
    }
  });

  test('a history without matches has no pages', async () => {
    const { messages, pagination } = await read('?to=%2B19999999999');
    expect(messages).toEqual([]);
    expect(pagination).toStrictEqual({
      currentPage: 1,
      totalPages: 0,
      totalMessages: 0,
      hasNext: false,
    });
  });
});

/** Each filter with the messages that it selects. */
const FILTERS: { query: string; lets(row: Row): boolean }[] = [
  { query: 'direction=inbound', lets: (row) => row.direction === 'inbound' },
  { query: 'direction=outbound', lets: (row) => row.direction === 'outbound' },
  { query: 'status=delivered', lets: (row) => row.status === 'delivered' },
  { query: 'status=received', lets: (row) => row.status === 'received' },
  { query: 'from=%2B15551000001', lets: (row) => row.from === '+15551000001' },
  { query: 'to=%2B15550000002', lets: (row) => row.to === '+15550000002' },
  { query: 'startDate=2026-03-03', lets: (row) => at(row) > Date.parse('2026-03-03') },
  { query: 'endDate=2026-03-08', lets: (row) => at(row) < Date.parse('2026-03-08') },
  {
    query: 'startDate=2026-03-03T12:00:00.001Z',
    lets: (row) => at(row) > Date.parse('2026-03-03T12:00:00.001Z'),
  },
  {
    query: 'endDate=2026-03-08T14:00:00%2B02:00',
    lets: (row) => at(row) < Date.parse('2026-03-08T12:00:00Z'),
  },
];
const at = (row: Row): number => new Date(row.created_at).getTime();
const pairs = FILTERS.flatMap((first, index) =>
  FILTERS.slice(index).map((second) => [first, second] as const),
);

describe('filters of the history', () => {
  test('each filter and each pair of filters selects exactly the matching messages, with exact totals', async () => {
    const answers = await Promise.all(
      pairs.map(async ([first, second]) => {
        const same = first.query.split('=')[0] === second.query.split('=')[0];
        const query = first === second ? first.query : `${first.query}&${second.query}`;
        return {
          query,
          first,
          second,
          answer: await list(`?limit=100&${query}`),
          repeated: same && first !== second,
        };
      }),
    );
    for (const { query, first, second, answer, repeated } of answers) {
      if (repeated) {
        expectRefusal(answer, 400, 'invalid_params', /once/);
        continue;
      }
      const expected = rows.filter((row) => first.lets(row) && second.lets(row));
      const history = answer.json as unknown as History;
      expect([query, idsOf(history.messages)]).toEqual([query, idsOf(expected.slice(0, 100))]);
      expect(history.pagination.totalMessages).toBe(expected.length);
      expect(history.pagination.totalPages).toBe(Math.ceil(expected.length / 100));
    }
  });

  test.each(STATUSES)('the status filter accepts %s', async (status) => {
    const { pagination } = await read(`?status=${status}`);
    expect(pagination.totalMessages).toBe(rows.filter((row) => row.status === status).length);
  });

  test('a number filter restores a + that was decoded as a space', async () => {
    const encoded = await read('?to=%2B15550000002');
    for (const query of ['?to=+15550000002', '?to=%2015550000002']) {
      expect(await read(query)).toEqual(encoded);
    }
    expect((await read('?from=+15551000001')).pagination.totalMessages).toBe(120);
  });

  test('a number filter matches only the whole number and no pattern', async () => {
    for (const value of [
      '15550000002',
      '%2B1555000000',
      '%25',
      '_',
      '%2B15550000002%20',
      '%20%2B15550000002',
      "'",
      '*',
    ]) {
      expect((await read(`?to=${value}`)).pagination.totalMessages).toBe(0);
    }
  });

  test('an empty filter is ignored', async () => {
    const all = await read('');
    expect(await read('?page=&limit=&direction=&status=&from=&to=&startDate=&endDate=')).toEqual(
      all,
    );
  });

  test('a repeated filter is refused with an error that names it', async () => {
    for (const name of [
      'page',
      'limit',
      'direction',
      'status',
      'from',
      'to',
      'startDate',
      'endDate',
    ]) {
      expectRefusal(
        await list(`?${name}=1&${name}=1`),
        400,
        'invalid_params',
        new RegExp(`^\`${name}\``),
      );
      expectRefusal(
        await list(`?${name}=&${name}=`),
        400,
        'invalid_params',
        new RegExp(`^\`${name}\``),
      );
    }
  });

  test('an unknown filter is ignored', async () => {
    expect(await read('?workspaceId=x&sort=asc&offset=5&q=1&q=2&__proto__=1')).toEqual(
      await read(''),
    );
  });

  test.each([
    ['direction', 'Inbound'],
    ['direction', 'both'],
    ['direction', 'inbound,outbound'],
    ['direction', '0'],
    ['status', 'Queued'],
    ['status', 'accepted'],
    ['status', 'queued,sent'],
    ['status', 'toString'],
    ['status', '%00'],
    ['from', '%00'],
    ['to', 'a%00b'],
    ['startDate', 'yesterday'],
    ['startDate', '1770000000'],
    ['startDate', '2026-13-01'],
    ['startDate', '2026-02-29'],
    ['startDate', '2026-03-01T25:00:00Z'],
    ['startDate', '2026-03-01T10:60:00Z'],
    ['startDate', '2026-3-1'],
    ['startDate', '01/03/2026'],
    ['startDate', '2026-03-01T10:00:00+25:00'],
    ['startDate', '2026-03-01T10:00:00 Z'],
    ['endDate', '20xx'],
    ['endDate', '2026-03-01T'],
    ['endDate', 'Sun, 01 Mar 2026 00:00:00 GMT'],
    ['endDate', '2026-03-01%00'],
    ['endDate', '%F0%9F%98%80'],
  ])('the filter %s=%s is refused with an error that names it', async (name, value) => {
    const answer = await list(`?${name}=${value}`);
    expectRefusal(answer, 400, 'invalid_params', new RegExp(`^\`${name}\``));
  });
});

describe('date filters of the history', () => {
  const count = async (query: string) => (await read(query)).pagination.totalMessages;
  const after = (iso: string) => rows.filter((row) => at(row) > Date.parse(iso)).length;
  const before = (iso: string) => rows.filter((row) => at(row) < Date.parse(iso)).length;

  test('a date filter excludes its own instant', async () => {
    expect(await count('?startDate=2026-03-05T00:00:00.000Z')).toBe(after('2026-03-05'));
    expect(await count('?startDate=2026-03-04T23:59:59.999Z')).toBe(after('2026-03-05') + 12);
    expect(await count('?endDate=2026-03-05T00:00:00.000Z')).toBe(before('2026-03-05'));
    expect(await count('?endDate=2026-03-05T00:00:00.001Z')).toBe(before('2026-03-05') + 12);
    expect(await count('?startDate=2026-03-05&endDate=2026-03-05')).toBe(0);
  });

  test.each([
    ['2026-03-05', '2026-03-05T00:00:00Z'],
    ['2026-03-05T12:00', '2026-03-05T12:00:00Z'],
    ['2026-03-05T12:00:00', '2026-03-05T12:00:00Z'],
    ['2026-03-05t12:00:00z', '2026-03-05T12:00:00Z'],
    ['2026-03-05T12:00:00.5Z', '2026-03-05T12:00:00.500Z'],
    ['2026-03-05T14:00:00+02:00', '2026-03-05T12:00:00Z'],
    ['2026-03-05T14:00:00%2B0200', '2026-03-05T12:00:00Z'],
    ['2026-03-05T14:00:00+02', '2026-03-05T12:00:00Z'],
    ['2026-03-05T14:00:00%2B02', '2026-03-05T12:00:00Z'],
    ['2026-03-05T06:30:00-05:30', '2026-03-05T12:00:00Z'],
    ['0001-01-01', '0001-01-01T00:00:00Z'],
    ['1969-12-31', '1969-12-31T00:00:00Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('the date %s is parsed as %s', async (written, instant) => {
    expect(await count(`?startDate=${written}`)).toBe(after(instant));
    expect(await count(`?endDate=${written}`)).toBe(before(instant));
  });

  test('date filters with microseconds select the right messages', async () => {
    expect(await count('?endDate=2026-03-05T00:00:00.000001Z')).toBe(before('2026-03-05') + 12);
    expect(await count('?startDate=2026-03-04T23:59:59.999999Z')).toBe(after('2026-03-05') + 12);
    expect(await count('?startDate=2026-03-05T00:00:00.000001Z')).toBe(after('2026-03-05'));
  });
});

describe('isolation of workspaces in the history', () => {
  test('a session and an API key of a workspace read the same history', async () => {
    for (const query of ['', '?limit=7&page=3', '?direction=inbound&startDate=2026-03-04']) {
      const path = `/api/ui/workspaces/${workspace.workspaceId}/messages${query}`;
      const { json, status } = await ask(service.url, path, { token: workspace.sessionToken });
      expect(status).toBe(200);
      expect(json).toEqual((await list(query)).json);
    }
  });

  test("no filter, identifier or credential shows another workspace's messages", async () => {
    const own = new Set(idsOf(rows));
    for (const query of [
      '?limit=100',
      `?limit=100&workspaceId=${other.workspaceId}`,
      '?limit=100&to=%2B15550000002',
    ]) {
      expect((await read(query)).messages.every(({ id }) => own.has(id))).toBe(true);
    }
    const [foreign] = await service.sql<{ id: string }>(
      `UPDATE messages SET provider_sid = 'SMforeign', provider_account = 'AC'
       WHERE id = (SELECT min(id::text)::uuid FROM messages WHERE workspace_id = $1) RETURNING id`,
      [other.workspaceId],
    );
    for (const id of [foreign?.id, 'SMforeign']) {
      const ways = [
        [`/api/messages/${id}`, 'GET', workspace.apiKey],
        [`/api/messages/${id}/cancel`, 'POST', workspace.apiKey],
        [
          `/api/ui/workspaces/${workspace.workspaceId}/messages/${id}`,
          'GET',
          workspace.sessionToken,
        ],
        [
          `/api/ui/workspaces/${workspace.workspaceId}/messages/${id}/cancel`,
          'POST',
          workspace.sessionToken,
        ],
      ] as const;
      for (const [path, method, token] of ways) {
        expectRefusal(await ask(service.url, path, { method, token }), 404, 'not_found');
      }
    }
    const theirs = `/api/ui/workspaces/${other.workspaceId}/messages`;
    expectRefusal(
      await ask(service.url, theirs, { token: workspace.sessionToken }),
      403,
      'forbidden',
      /^Insufficient permissions for the resource/,
    );
    // Membership is checked before the parameters.
    expectRefusal(
      await ask(service.url, `${theirs}?page=x`, { token: workspace.sessionToken }),
      403,
      'forbidden',
    );
    const nowhere = '/api/ui/workspaces/01920000-0000-7000-8000-000000000000/messages?page=x';
    expectRefusal(
      await ask(service.url, nowhere, { token: workspace.sessionToken }),
      404,
      'not_found',
    );
  });
});

describe('a single message', () => {
  const post = (json: object) =>
    ask(service.url, '/api/messages', { token: workspace.apiKey, json });
  const get = (id: unknown) =>
    ask(service.url, `/api/messages/${String(id)}`, { token: workspace.apiKey });
  const cancel = (id: unknown) =>
    ask(service.url, `/api/messages/${String(id)}/cancel`, {
      method: 'POST',
      token: workspace.apiKey,
    });
  const later = new Date(Date.now() + 3_600_000).toISOString();

  test('a message is found by its id in any case and by its provider_sid', async () => {
    const { json } = await post({ to: '+15550001111', body: 'find me' });
    const id = String(json?.['id']);
    expect((await get(id)).json?.['id']).toBe(id);
    expect((await get(id.toUpperCase())).json?.['id']).toBe(id);
    await service.sql(
      `UPDATE messages SET provider_sid = 'SMfound', provider_account = 'AC1' WHERE id = $1`,
      [id],
    );
    const bySid = await get('SMfound');
    expect(bySid.json).toMatchObject({ id, provider_sid: 'SMfound' });
    expectRefusal(await get('smfound'), 404, 'not_found');
  });

  test('a waiting message can be canceled once', async () => {
    for (const json of [{ scheduled_at: later }, {}]) {
      const sent = await post({ to: '+15550001111', body: 'cancel me', ...json });
      const canceled = await cancel(sent.json?.['id']);
      expect(canceled.status).toBe(200);
      expect(canceled.json).toMatchObject({
        id: sent.json?.['id'],
        status: 'canceled',
        body: 'cancel me',
      });
      expect(canceled.json).not.toHaveProperty('events');
      expectRefusal(await cancel(sent.json?.['id']), 400, 'invalid_state');
      const events = (await get(sent.json?.['id'])).json?.['events'] as {
        type: string;
        status: string;
      }[];
      expect(events.map(({ type, status }) => [type, status])).toEqual([
        [
          json.scheduled_at === undefined ? 'created' : 'scheduled',
          json.scheduled_at === undefined ? 'queued' : 'scheduled',
        ],
        ['canceled', 'canceled'],
      ]);
    }
  });

  test('of concurrent requests to cancel a message, exactly one succeeds', async () => {
    const sent = await post({ to: '+15550001111', body: 'race', scheduled_at: later });
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(sent.json?.['id'])));
    expect(answers.map(({ status }) => status).toSorted(upwards)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
  });

  test.each(['inflight', 'accepted', 'rejected', 'unknown', 'unresolved'])(
    'a message with the status %s cannot be canceled',
    async (dispatch) => {
      const sent = await post({ to: '+15550001111', body: 'Too late' });
      await service.sql('UPDATE messages SET dispatch = $2::dispatch_state WHERE id = $1', [
        sent.json?.['id'],
        dispatch,
      ]);
      expectRefusal(await cancel(sent.json?.['id']), 400, 'invalid_state');
      expect((await get(sent.json?.['id'])).json?.['status']).toBe('queued');
    },
  );

  test('a session can cancel a message, and an inbound message cannot be canceled', async () => {
    const sent = await post({ to: '+15550001111', body: 'by session', scheduled_at: later });
    const path = `/api/ui/workspaces/${workspace.workspaceId}/messages/${String(sent.json?.['id'])}`;
    const canceled = await ask(service.url, `${path}/cancel`, {
      method: 'POST',
      token: workspace.sessionToken,
    });
    expect(canceled.json).toMatchObject({ status: 'canceled' });
    expect((await ask(service.url, path, { token: workspace.sessionToken })).json).toMatchObject({
      status: 'canceled',
      events: [{ type: 'scheduled' }, { type: 'canceled' }],
    });
    const inbound = rows.find(({ direction }) => direction === 'inbound');
    expectRefusal(await cancel(inbound?.id), 400, 'invalid_state');
  });
});
