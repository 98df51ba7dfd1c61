import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type CallBackOptions, type Fields, callBack, sign } from './call-back.ts';
import { type Answer, type Service, ask, expectRefusal, startService } from './start-service.ts';

const TO = '+15551230001';

let service: Service;
let workspace: WorkspaceFixture;
let sids = 0;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_MESSAGING: '100000', SWEEP_MS: '60000' } });
  workspace = await service.addWorkspace();
});
afterAll(() => service.close());

const newSid = () => `SM${String((sids += 1)).padStart(32, '0')}`;

async function send(from = workspace): Promise<string> {
  const { json } = await ask(service.url, '/api/messages', {
    token: from.apiKey,
    json: { to: TO, body: 'x' },
  });
  return String(json?.['id']);
}

const tell = (fields: Fields, options: CallBackOptions = {}, from = workspace): Promise<Answer> =>
  callBack(service.url, from, fields, options);

async function read(id: string, from = workspace): Promise<Record<string, unknown>> {
  const { json } = await ask(service.url, `/api/messages/${id}`, { token: from.apiKey });
  return json ?? {};
}

/** Everything about a message that a callback may change, and how often it changed. */
async function snapshot(id: string): Promise<unknown> {
  const [message] = await service.sql('SELECT * FROM messages WHERE id = $1', [id]);
  const events = await service.sql(
    'SELECT count(*)::int AS n FROM message_events WHERE message_id = $1',
    [id],
  );
  return { message, events };
}

describe('a callback that is signed', () => {
  test('carries the identifier to the message of its query, even before the worker has told it', async () => {
    const [id, sid] = [await send(), newSid()];
    expect((await tell({ MessageSid: sid, MessageStatus: 'sent' }, { message: id })).status).toBe(
      200,
    );
    expect(await read(id)).toMatchObject({
      provider_sid: sid,
      status: 'sent',
      sent_at: expect.any(String),
      delivered_at: null,
      events: [
        { type: 'created', status: 'queued' },
        { type: 'provider_accepted', status: 'sent' },
      ],
    });
    expect(
      (await ask(service.url, `/api/messages/${sid}`, { token: workspace.apiKey })).json?.['id'],
    ).toBe(id);
    // From now on the identifier is enough.
    expect((await tell({ MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'delivered', delivered_at: expect.any(String) });
  });

  test('may use the older names of its fields', async () => {
    const [id, sid] = [await send(), newSid()];
    await tell({ SmsSid: sid, SmsStatus: 'sent' }, { message: id });
    expect(await read(id)).toMatchObject({ provider_sid: sid, status: 'sent' });
  });

  test('changes nothing when it comes again, and when it comes late', async () => {
    const [id, sid] = [await send(), newSid()];
    for (const status of ['sent', 'delivered'])
      await tell({ MessageSid: sid, MessageStatus: status }, { message: id });
    const before = await snapshot(id);
    for (const status of [
      'delivered',
      'sent',
      'queued',
      'sending',
      'undelivered',
      'failed',
      'accepted',
      'canceled',
    ]) {
      expect((await tell({ MessageSid: sid, MessageStatus: status }, { message: id })).status).toBe(
        200,
      );
    }
    expect(await snapshot(id)).toEqual(before);
    await tell({ MessageSid: sid, MessageStatus: 'read' }, { message: id });
    expect(await read(id)).toMatchObject({ status: 'read' });
  });

  test('in any order and any number gives the same end', async () => {
    const rank = [
      'accepted',
      'queued',
      'sending',
      'sent',
      'canceled',
      'failed',
      'undelivered',
      'delivered',
      'read',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...rank), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (statuses, atOnce) => {
          const [id, sid] = [await send(), newSid()];
          const tellOne = async (status: string) => {
            expect(
              (await tell({ MessageSid: sid, MessageStatus: status }, { message: id })).status,
            ).toBe(200);
          };
          if (atOnce) await Promise.all(statuses.map(tellOne));
          else for (const status of statuses) await tellOne(status);
          const highest = statuses.toSorted((a, b) => rank.indexOf(b) - rank.indexOf(a))[0];
          expect(await read(id)).toMatchObject({
            provider_sid: sid,
            status: highest === 'accepted' ? 'queued' : highest,
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('keeps an error code that a later one does not carry', async () => {
    const [id, sid] = [await send(), newSid()];
    await tell({ MessageSid: sid, MessageStatus: 'failed', ErrorCode: '30008' }, { message: id });
    await tell({ MessageSid: sid, MessageStatus: 'undelivered' }, { message: id });
    expect(await read(id)).toMatchObject({
      status: 'undelivered',
      error_code: '30008',
      error_detail: expect.any(String),
    });
  });

  test('with a status that nobody knows is kept as it came, and moves nothing', async () => {
    const [id, sid] = [await send(), newSid()];
    await tell({ MessageSid: sid, MessageStatus: 'sent' }, { message: id });
    expect(
      (await tell({ MessageSid: sid, MessageStatus: 'teleported' }, { message: id })).status,
    ).toBe(200);
    const message = await read(id);
    expect(message).toMatchObject({ status: 'sent' });
    expect(JSON.stringify(message['events'])).toContain('teleported');
  });

  test('for an identifier nobody knows is kept, and merged once a row learns it', async () => {
    const [id, sid] = [await send(), newSid()];
    expect((await tell({ MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(200);
    expect(
      (await tell({ MessageSid: sid, MessageStatus: 'failed', ErrorCode: '30005' })).status,
    ).toBe(200);
    expect(await service.countRows('orphan_callbacks')).toBe(2);
    expect(await read(id)).toMatchObject({ status: 'queued', provider_sid: null });
    await tell({ MessageSid: sid, MessageStatus: 'queued' }, { message: id });
    expect(await read(id)).toMatchObject({
      status: 'delivered',
      provider_sid: sid,
      // The error of a status that another one has outranked is void.
      error_code: null,
    });
    expect(await service.countRows('orphan_callbacks')).toBe(0);
  });

  test('that names a message that is none is kept like any other', async () => {
    for (const message of ['01920000-0000-7000-8000-000000000000', 'nonsense', '%00']) {
      expect(
        (await tell({ MessageSid: newSid(), MessageStatus: 'sent' }, { message })).status,
      ).toBe(200);
    }
    await service.sql('DELETE FROM orphan_callbacks');
  });

  test('with a second identifier for one message does not replace the first', async () => {
    const [id, first, second] = [await send(), newSid(), newSid()];
    await tell({ MessageSid: first, MessageStatus: 'sent' }, { message: id });
    expect(
      (await tell({ MessageSid: second, MessageStatus: 'delivered' }, { message: id })).status,
    ).toBe(200);
    expect(await read(id)).toMatchObject({ provider_sid: first, status: 'sent' });
  });

  test('with fields of every kind verifies: empty, repeated in case, non-Latin, with signs of the form', async () => {
    const [id, sid] = [await send(), newSid()];
    const fields = {
      MessageSid: sid,
      MessageStatus: 'sent',
      Body: 'ünï & = + % 你好 👍',
      To: TO,
      Empty: '',
      'we ird[]': 'a b',
      RawDlrDoneDate: '2611200442',
    };
    expect((await tell(fields, { message: id })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'sent' });
  });

  test('without what makes it one is missing_params; a NUL in it does no harm', async () => {
    const required = { MessageSid: newSid(), MessageStatus: 'sent' };
    for (const name of Object.keys(required)) {
      expectRefusal(
        await tell({ ...required, [name]: '' }),
        400,
        'missing_params',
        new RegExp(name),
      );
    }
    for (const name of [...Object.keys(required), 'ErrorCode', 'From']) {
      const id = await send();
      const answer = await tell(
        { ...required, MessageSid: newSid(), [name]: 'a\0b' },
        { message: id },
      );
      // What decides which message and status are meant must be right.
      const isRefused = name in required;
      expect(answer.status).toBe(isRefused ? 400 : 200);
      expect((await read(id))['status']).toBe(isRefused ? 'queued' : 'sent');
    }
    expect(await service.countRows('orphan_callbacks')).toBe(0);
  });
});

describe('a callback that is not what it claims to be is 403 and writes nothing:', () => {
  const status = { MessageStatus: 'delivered' };

  async function expectForged(id: string, run: () => Promise<Answer>): Promise<void> {
    const before = await snapshot(id);
    expectRefusal(await run(), 403, 'forbidden', /^Insufficient permissions for the resource/);
    expect(await snapshot(id)).toEqual(before);
    expect(await service.countRows('orphan_callbacks')).toBe(0);
  }

  test('unsigned, or signed with nothing, another token, for another address or other fields', async () => {
    const [id, sid] = [await send(), newSid()];
    const fields = { MessageSid: sid, ...status };
    const path = `/api/webhooks/twilio/${workspace.workspaceId}/status?message=${id}&attempt=1`;
    const whole = { AccountSid: workspace.accountSid, ApiVersion: '2010-04-01', ...fields };
    const right = sign(workspace.authToken, service.url + path, whole);
    const signatures = [
      null,
      '',
      'x',
      right.slice(0, -2),
      `${right} `.repeat(2),
      right.toLowerCase(),
      Buffer.alloc(20).toString('base64'),
      sign('', service.url + path, whole),
      sign(workspace.authToken.toUpperCase(), service.url + path, whole),
      sign(workspace.authToken, `http://evil.example${path}`, whole),
      sign(workspace.authToken, service.url + path.replace('attempt=1', 'attempt=2'), whole),
      sign(workspace.authToken, service.url + path.split('?')[0], whole),
      sign(workspace.authToken, service.url + path, { ...whole, MessageStatus: 'sent' }),
      sign(workspace.authToken, service.url + path, {}),
    ];
    for (const signature of signatures) {
      await expectForged(id, () => tell(fields, { message: id, signature }));
    }
    expect((await tell(fields, { message: id, signature: right })).status).toBe(200);
  });

  test('signed by one workspace for a message of another, by its id or its identifier', async () => {
    const other = await service.addWorkspace();
    const [id, sid] = [await send(other), newSid()];
    // With its own account, and with the other's, which it may claim but not sign for.
    await expectForged(id, () => tell({ MessageSid: sid, ...status }, { message: id }));
    await callBack(service.url, other, { MessageSid: sid, MessageStatus: 'sent' }, { message: id });
    await expectForged(id, () =>
      tell({ MessageSid: sid, ...status, AccountSid: other.accountSid }),
    );
    await expectForged(id, () =>
      tell({ MessageSid: sid, ...status }, { workspaceId: other.workspaceId }),
    );
    expect(await read(id, other)).toMatchObject({ status: 'sent' });
  });

  test("of two workspaces on one account, the other one's identifier", async () => {
    const other = await service.addWorkspace({ accountSid: workspace.accountSid });
    const [id, sid] = [await send(other), newSid()];
    await callBack(service.url, other, { MessageSid: sid, MessageStatus: 'sent' }, { message: id });
    await expectForged(id, () => tell({ MessageSid: sid, ...status }));
  });

  test('with another AccountSid than the configured one', async () => {
    const id = await send();
    for (const AccountSid of [`AC${'f'.repeat(32)}`, workspace.accountSid.toUpperCase()]) {
      await expectForged(id, () =>
        tell({ MessageSid: newSid(), ...status, AccountSid }, { message: id }),
      );
    }
  });

  test('for a workspace that is none, or has no provider', async () => {
    const id = await send();
    const bare = await service.addWorkspace({ provider: false });
    for (const workspaceId of [
      bare.workspaceId,
      '01920000-0000-7000-8000-000000000000',
      'x',
      '%00',
    ]) {
      await expectForged(id, () =>
        tell({ MessageSid: newSid(), ...status }, { message: id, workspaceId }),
      );
    }
  });

  test('with no body', async () => {
    const id = await send();
    const path = `/api/webhooks/twilio/${workspace.workspaceId}/status?message=${id}`;
    for (const headers of [{}, { 'content-type': 'application/x-www-form-urlencoded' }]) {
      await expectForged(id, () =>
        ask(service.url, path, {
          method: 'POST',
          headers: { ...headers, 'x-twilio-signature': 'x' },
        }),
      );
    }
  });
});

describe('a callback whose body is', () => {
  const knock = (raw: string, type: string) => {
    const path = `/api/webhooks/twilio/${workspace.workspaceId}/status`;
    const signature = sign(workspace.authToken, service.url + path, {});
    return ask(service.url, path, {
      raw,
      headers: { 'content-type': type, 'x-twilio-signature': signature },
    });
  };

  test('JSON, or of another type, is 400 or 403 and writes nothing', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'nonsense',
    ]) {
      const answer = await knock('{"MessageSid":"SM1","MessageStatus":"sent"}', type);
      expect([type, [400, 403].includes(answer.status)]).toEqual([type, true]);
      expectRefusal(answer, answer.status, answer.status === 400 ? 'invalid_params' : 'forbidden');
      if (answer.status === 400) {
        expect(answer.json?.['detail']).toContain('application/x-www-form-urlencoded');
      }
    }
  });

  test('over 64 KiB is invalid_params; of ten thousand fields it is forged', async () => {
    const type = 'application/x-www-form-urlencoded';
    expectRefusal(await knock(`a=${'x'.repeat(70_000)}`, type), 400, 'invalid_params', /64 KiB/);
    expectRefusal(await knock('a&'.repeat(10_000), type), 403, 'forbidden');
    expectRefusal(await knock('%&%zz=%ff&=&__proto__=x', type), 403, 'forbidden');
    expect((await ask(service.url, '/health/live')).status).toBe(200);
  });
});

test('a storm of callbacks, each told three times and shuffled, ends every message as delivered', async () => {
  const messages = await Promise.all(
    Array.from({ length: 30 }, async () => ({ id: await send(), sid: newSid() })),
  );
  const calls = messages.flatMap((message) =>
    ['queued', 'sent', 'delivered'].flatMap((status) =>
      [1, 2, 3].map((turn) => ({ ...message, status, turn })),
    ),
  );
  const shuffled = calls.toSorted((a, b) => hash(a) - hash(b));
  const answers = await Promise.all(
    shuffled.map(({ id, sid, status }) =>
      tell({ MessageSid: sid, MessageStatus: status }, { message: id }),
    ),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  for (const { id, sid } of messages)
    expect(await read(id)).toMatchObject({ status: 'delivered', provider_sid: sid });
  // The cursor: a workspace's events are numbered without a gap.
  const [row] = await service.sql(
    'SELECT count(*)::int AS n, max(seq)::int AS last FROM message_events WHERE workspace_id = $1',
    [workspace.workspaceId],
  );
  expect(row?.['n']).toBe(row?.['last']);
});

/** An order that is no order, and the same every time. */
function hash({ sid, status, turn }: { sid: string; status: string; turn: number }): number {
  return [...`${sid}${status}${turn}`].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003,
    7,
  );
}
