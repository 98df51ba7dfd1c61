import { type WorkspaceFixture, numbersTo, sendEach } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fields, callBack } from './call-back.ts';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';

const LIMIT = 200;
const REPLIES = 3;

let service: Service;
let workspace: WorkspaceFixture;
let received = 0;

beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_WEBHOOKS: String(LIMIT), KEYWORD_REPLIES_PER_HOUR: String(REPLIES) },
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
});

function receive(fields: Fields, of = workspace) {
  received += 1;
  const MessageSid = `SM${String(received).padStart(32, '0')}`;
  const text = { From: '+15557000001', To: of.from, Body: 'Hello', ...fields };
  return callBack(service.url, of, { MessageSid, ...text }, { kind: 'inbound' });
}

async function repliesTo(number: string): Promise<string[]> {
  const rows = await service.sql<{ body: string }>(
    `SELECT body FROM messages WHERE workspace_id = $1 AND direction = 'outbound' AND "to" = $2`,
    [workspace.workspaceId, number],
  );
  return rows.map(({ body }) => body);
}

const isOptedOut = async (number: string): Promise<boolean> => {
  const rows = await service.sql(`SELECT 1 FROM opt_outs WHERE workspace_id = $1 AND number = $2`, [
    workspace.workspaceId,
    number,
  ]);
  return rows.length === 1;
};

describe('OptOutType of Twilio', () => {
  const From = '+15557000010';

  test('OptOutType takes precedence over the text, and the service sends no reply', async () => {
    expect((await receive({ From, Body: 'basta', OptOutType: 'STOP' })).status).toBe(200);
    expect(await isOptedOut(From)).toBe(true);
    await receive({ From, Body: 'vale', OptOutType: 'START' });
    expect(await isOptedOut(From)).toBe(false);
    // One of our keywords that the messaging service uses for another purpose.
    await receive({ From, Body: 'STOP', OptOutType: 'HELP' });
    expect(await isOptedOut(From)).toBe(false);
    expect(await repliesTo(From)).toEqual([]);
  });

  test('with an unknown OptOutType, the text decides, and the service sends no reply', async () => {
    await receive({ From, Body: 'STOP', OptOutType: 'PAUSE' });
    expect(await isOptedOut(From)).toBe(true);
    expect(await repliesTo(From)).toEqual([]);
  });
});

describe('keyword replies', () => {
  test('a keyword reply is sent to a number at most once an hour for each keyword', async () => {
    for (let round = 0; round < 5; round += 1) {
      await receive({ Body: 'STOP' });
      await receive({ Body: 'START' });
    }
    expect(await repliesTo('+15557000001')).toHaveLength(2);
    expect(await isOptedOut('+15557000001')).toBe(false);
  });

  test('a keyword reply beyond the limit of its workspace is not sent, and the opt-out is still stored', async () => {
    const numbers = Array.from({ length: REPLIES + 2 }, (_, n) => `+1555700020${n}`);
    const counts: number[] = [];
    for (const From of numbers) {
      expect((await receive({ From, Body: 'STOP' })).status).toBe(200);
      expect(await isOptedOut(From)).toBe(true);
      counts.push((await repliesTo(From)).length);
    }
    expect(counts).toEqual([1, 1, 1, 0, 0]);
  });

  test.each(['12345', 'ACME', 'whatsapp:+15557000030', '+0555700003'])(
    'a keyword reply is not sent to %s, which is not a valid recipient',
    async (From) => {
      expect((await receive({ From, Body: 'HELP' })).status).toBe(200);
      expect(await repliesTo(From)).toEqual([]);
    },
  );

  test('a keyword reply is not sent from a number that the workspace does not have', async () => {
    await receive({ To: '+15557999999', Body: 'HELP' });
    expect(await repliesTo('+15557000001')).toEqual([]);
  });
});

describe('fields of signed webhooks', () => {
  const HOSTILE = [
    'x'.repeat(4_000),
    '9'.repeat(300),
    '1000000000000',
    '-1',
    '1e400',
    '\0',
    '\u0001\u001f\u007f',
    '👋'.repeat(1_000),
    "'; DROP TABLE messages; --",
    '%00%ff',
    '{"a":1}',
  ];
  const INBOUND = ['MessageSid', 'From', 'To', 'Body', 'NumSegments', 'NumMedia', 'OptOutType'];
  const STATUS = ['MessageSid', 'MessageStatus', 'SmsStatus', 'ErrorCode', 'ErrorMessage', 'From'];

  test('invalid fields of signed webhooks are refused with 400 or accepted with 200, without a failure', async () => {
    const statuses = new Set<number>();
    const MessageSid = `SM${'f'.repeat(32)}`;
    for (const value of HOSTILE) {
      // A workspace for each value, so that all of them stay below the limit.
      const own = await service.addWorkspace();
      const responses = await Promise.all([
        ...[...INBOUND, 'MediaUrl0', 'MediaContentType0'].map((name) =>
          receive({ MediaUrl0: 'https://m.example/1', [name]: value }, own),
        ),
        ...STATUS.map((name) =>
          callBack(service.url, own, { MessageSid, MessageStatus: 'sent', [name]: value }),
        ),
      ]);
      for (const { status } of responses) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([200, 400]));
  });
});

test('signed webhooks beyond the limit of a workspace are answered with 503 and Retry-After', async () => {
  const other = await service.addWorkspace();
  const unsigned = { kind: 'inbound', signature: 'x' } as const;
  // Webhooks without a valid signature do not count.
  await sendEach(numbersTo(20), () => callBack(service.url, workspace, {}, unsigned), {
    status: 403,
  });
  const responses = await sendEach(numbersTo(LIMIT + 10), () => receive({}), {
    status: [200, 503],
  });
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(10);
  for (const response of refused) {
    expectRefusal(response, 503, 'service_unavailable', /200 requests/);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await receive({}, other)).status).toBe(200);
  expect((await ask(service.url, '/health/live')).status).toBe(200);
});
