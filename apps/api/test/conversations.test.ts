import {
  type ConversationList,
  conversationList,
  errorCodes,
  foundMessages,
} from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ApiResponse,
  type Service,
  ask,
  expectRefusal,
  shareService,
} from './start-service.ts';

let service: Service;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  service = await shareService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
});

const START = Date.parse('2026-03-01T00:00:00.000Z');
const OURS = '+15550000000';

interface Row {
  number: string | null;
  inbound?: boolean;
  body?: string;
  errorCode?: string;
  minutes?: number;
}

/** Stores messages in order of creation. By default they are a minute apart. */
async function insert(rows: readonly Row[], workspaceId = workspace.workspaceId): Promise<void> {
  await service.sql(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       error_code, created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, (CASE WHEN r.inbound THEN 'inbound' ELSE 'outbound' END)::direction,
       CASE WHEN r.inbound THEN $3 ELSE coalesce(r.number, '+15559999999') END,
       CASE WHEN r.inbound THEN r.number ELSE $3 END, coalesce(r.body, 'Text'), 1,
       (CASE WHEN r.inbound THEN 'received' ELSE 'delivered' END)::message_status,
       r."errorCode", at, at, 'accepted'
     FROM jsonb_to_recordset($2::jsonb)
         AS r(number text, inbound boolean, body text, "errorCode" text, minutes float8),
       LATERAL (SELECT to_timestamp($4 / 1000.0) + r.minutes * interval '1 minute') AS t(at)`,
    [workspaceId, JSON.stringify(rows.map((row, n) => ({ minutes: n, ...row }))), OURS, START],
  );
}

async function list(after?: string | null): Promise<ConversationList> {
  const query = after == null ? '' : `?after=${after}`;
  const path = `/api/ui/workspaces/${workspace.workspaceId}/conversations${query}`;
  const response = await ask(service.url, path, { token: workspace.sessionToken });
  expect(response.status).toBe(200);
  return conversationList.strict().parse(response.json);
}

const summarize = ({ data }: ConversationList) =>
  data.map(({ number, last_message }) => [number, last_message.body]);

describe('conversations', () => {
  const ADA = '+15551110001';
  const BOB = '+15551110002';

  test('a workspace has a conversation for each number, sorted by the last message in either direction', async () => {
    await insert([
      { number: ADA, body: 'Hello Ada' },
      { number: BOB, body: 'Hello Bob' },
      { number: ADA, inbound: true, body: 'Hello back' },
    ]);
    expect(summarize(await list())).toEqual([
      [ADA, 'Hello back'],
      [BOB, 'Hello Bob'],
    ]);
  });

  test('conversations of another workspace are not listed', async () => {
    const other = await service.addWorkspace();
    await insert([{ number: ADA, body: 'Ours' }]);
    await insert([{ number: ADA, body: 'Theirs', minutes: 9 }], other.workspaceId);
    expect(summarize(await list())).toEqual([[ADA, 'Ours']]);
  });

  test('paging lists every conversation once', async () => {
    const numbers = Array.from({ length: 120 }, (_, n) => `+1555222${String(n).padStart(4, '0')}`);
    await insert([...numbers, ...numbers].map((number) => ({ number })));
    const seen: string[] = [];
    let next: string | null | undefined;
    do {
      const page = await list(next);
      seen.push(...page.data.map(({ number }) => number));
      ({ next } = page);
    } while (next !== null);
    expect(seen).toEqual(numbers.toReversed());
  });

  test('paging finds conversations behind thousands of messages of one number', async () => {
    await insert([{ number: BOB }, ...Array.from({ length: 6_000 }, () => ({ number: ADA }))]);
    const first = await list();
    expect(first.data.map(({ number }) => number)).toEqual([ADA]);
    expect(first.next).not.toBeNull();
    const second = await list(first.next);
    expect(second).toMatchObject({ data: [{ number: BOB }], next: null });
  });

  test('a workspace without messages has no conversations and no further page', async () => {
    expect(await list()).toEqual({ data: [], next: null });
  });

  test('an invalid `after` of the conversations is refused', async () => {
    const path = `/api/ui/workspaces/${workspace.workspaceId}/conversations?after=1`;
    expectRefusal(
      await ask(service.url, path, { token: workspace.sessionToken }),
      400,
      'invalid_params',
      /`after`/,
    );
  });
});

describe('messages of a conversation', () => {
  const ADA = '+15551110004';
  const BOB = '+15551110005';

  function request(number: string, query = '', of = workspace): Promise<ApiResponse> {
    const path = `/api/ui/workspaces/${of.workspaceId}/conversations/${number}/messages${query}`;
    return ask(service.url, path, { token: of.sessionToken });
  }
  const bodiesOf = ({ json }: ApiResponse): string[] =>
    foundMessages.parse(json).data.map(({ body }) => body);

  test('pages have each message with the number once, in both directions and in any state, newest first', async () => {
    const rows = Array.from({ length: 130 }, (_, n) => ({
      number: n % 9 === 0 ? BOB : ADA,
      inbound: n % 3 === 0,
      body: `Text ${n}`,
    }));
    await insert(rows);
    await service.updateMessages({
      set: `due_at = now(), status = 'queued', dispatch = 'ready'`,
      where: `workspace_id = $1 AND direction = 'outbound' AND hashtext(id::text) % 2 = 0`,
      values: [workspace.workspaceId],
    });
    const seen: string[] = [];
    let query = '?limit=20';
    for (let pages = 0; query !== ''; pages += 1) {
      expect(pages).toBeLessThan(10);
      const page = await request(ADA, query);
      expect(page.status).toBe(200);
      seen.push(...bodiesOf(page));
      const { next } = foundMessages.parse(page.json);
      query = next === null ? '' : `?limit=20&after=${next}`;
      // A message that is received since then moves no later page.
      await insert([{ number: ADA, inbound: true, body: 'New', minutes: 1_000 + pages }]);
    }
    const expected = rows.filter(({ number }) => number === ADA).map(({ body }) => body);
    expect(seen).toEqual(expected.toReversed());
  });

  test('a page has 50 messages by default and at most 100', async () => {
    await insert(Array.from({ length: 110 }, () => ({ number: ADA })));
    const sizes = [];
    for (const query of ['', '?limit=1000', '?limit=7']) {
      const page = await request(ADA, query);
      expect(page.status).toBe(200);
      sizes.push(bodiesOf(page).length);
    }
    expect(sizes).toEqual([50, 100, 7]);
  });

  test('a number without messages in the workspace has no list of messages', async () => {
    const other = await service.addWorkspace();
    await insert([{ number: ADA, body: 'Theirs' }], other.workspaceId);
    expect(bodiesOf(await request(ADA, '', other))).toEqual(['Theirs']);
    expectRefusal(await request(ADA), 404, 'not_found');
  });

  test.each(['after=1', 'after=x', 'limit=0', 'limit=1.5', 'limit=-1'])(
    'the messages of a conversation refuse %s and name the parameter',
    async (parameter) => {
      await insert([{ number: ADA }]);
      const [name = ''] = parameter.split('=');
      const detail = new RegExp(`\`${name}\``);
      expectRefusal(await request(ADA, `?${parameter}`), 400, 'invalid_params', detail);
    },
  );
});

test('error codes are counted in a time range and in the preceding range of the same length', async () => {
  const failed = (errorCode: string, minutes: number) => ({
    number: '+15551110003',
    errorCode,
    minutes,
  });
  await insert([
    failed('30003', -1),
    failed('30003', -59),
    failed('30003', -61),
    failed('30003', 0),
    failed('30005', 59),
    failed('30005', 30),
    failed('30005', 60),
    { number: '+15551110003', minutes: 5 },
  ]);
  const query = 'interval=hour&from=2026-03-01T00:00:00Z&to=2026-03-01T01:00:00Z';
  const path = `/api/ui/workspaces/${workspace.workspaceId}/error-codes?${query}`;
  const response = await ask(service.url, path, { token: workspace.sessionToken });
  expect(errorCodes.strict().parse(response.json)).toEqual({
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-01T01:00:00.000Z',
    data: [
      { error_code: '30005', count: 2, count_before: 0 },
      { error_code: '30003', count: 1, count_before: 2 },
    ],
  });
});
