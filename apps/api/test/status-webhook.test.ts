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

const sendStatus = (
  fields: Fields,
  options: CallBackOptions = {},
  from = workspace,
): Promise<Answer> => callBack(service.url, from, fields, options);

async function read(id: string, from = workspace): Promise<Record<string, unknown>> {
  const { json } = await ask(service.url, `/api/messages/${id}`, { token: from.apiKey });
  return json ?? {};
}

/** Returns the fields of a message that a callback may change, and the number of its events. */
async function snapshot(id: string): Promise<unknown> {
  const [message] = await service.sql('SELECT * FROM messages WHERE id = $1', [id]);
  const events = await service.sql(
    'SELECT count(*)::int AS n FROM message_events WHERE message_id = $1',
    [id],
  );
  return { message, events };
}

describe('signed status callbacks', () => {
  test('a status callback sets the identifier of the message in its query, even before the worker does', async () => {
    const [id, sid] = [await send(), newSid()];
    expect(
      (await sendStatus({ MessageSid: sid, MessageStatus: 'sent' }, { message: id })).status,
    ).toBe(200);
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
    // Further callbacks need only the identifier.
    expect((await sendStatus({ MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'delivered', delivered_at: expect.any(String) });
  });

  test('a status callback may use the older field names SmsSid and SmsStatus', async () => {
    const [id, sid] = [await send(), newSid()];
    await sendStatus({ SmsSid: sid, SmsStatus: 'sent' }, { message: id });
    expect(await read(id)).toMatchObject({ provider_sid: sid, status: 'sent' });
  });

  test('repeated and late status callbacks change nothing', async () => {
    const [id, sid] = [await send(), newSid()];
    for (const status of ['sent', 'delivered'])
      await sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id });
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
      expect(
        (await sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id })).status,
      ).toBe(200);
    }
    expect(await snapshot(id)).toEqual(before);
    await sendStatus({ MessageSid: sid, MessageStatus: 'read' }, { message: id });
    expect(await read(id)).toMatchObject({ status: 'read' });
  });

  test('status callbacks in any order and number lead to the same result', async () => {
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
              (await sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id }))
                .status,
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

  test('a later status callback without an error code keeps the earlier one', async () => {
    const [id, sid] = [await send(), newSid()];
    await sendStatus(
      { MessageSid: sid, MessageStatus: 'failed', ErrorCode: '30008' },
      { message: id },
    );
    await sendStatus({ MessageSid: sid, MessageStatus: 'undelivered' }, { message: id });
    expect(await read(id)).toMatchObject({
      status: 'undelivered',
      error_code: '30008',
      error_detail: expect.any(String),
    });
  });

  test('a status callback with an unknown status is recorded and changes nothing', async () => {
    const [id, sid] = [await send(), newSid()];
    await sendStatus({ MessageSid: sid, MessageStatus: 'sent' }, { message: id });
    expect(
      (await sendStatus({ MessageSid: sid, MessageStatus: 'teleported' }, { message: id })).status,
    ).toBe(200);
    const message = await read(id);
    expect(message).toMatchObject({ status: 'sent' });
    expect(JSON.stringify(message['events'])).toContain('teleported');
  });

  test('an unmatched status callback is stored and applied when a message receives the identifier', async () => {
    const [id, sid] = [await send(), newSid()];
    expect((await sendStatus({ MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(200);
    expect(
      (await sendStatus({ MessageSid: sid, MessageStatus: 'failed', ErrorCode: '30005' })).status,
    ).toBe(200);
    expect(await service.countRows('orphan_callbacks')).toBe(2);
    expect(await read(id)).toMatchObject({ status: 'queued', provider_sid: null });
    await sendStatus({ MessageSid: sid, MessageStatus: 'queued' }, { message: id });
    expect(await read(id)).toMatchObject({
      status: 'delivered',
      provider_sid: sid,
      // The error of a status with a lower rank is ignored.
      error_code: null,
    });
    expect(await service.countRows('orphan_callbacks')).toBe(0);
  });

  test('a status callback with an unknown message id is stored as unmatched', async () => {
    for (const message of ['01920000-0000-7000-8000-000000000000', 'nonsense', '%00']) {
      expect(
        (await sendStatus({ MessageSid: newSid(), MessageStatus: 'sent' }, { message })).status,
      ).toBe(200);
    }
    await service.sql('DELETE FROM orphan_callbacks');
  });

  test('a second identifier for a message does not replace the first one', async () => {
    const [id, first, second] = [await send(), newSid(), newSid()];
    await sendStatus({ MessageSid: first, MessageStatus: 'sent' }, { message: id });
    expect(
      (await sendStatus({ MessageSid: second, MessageStatus: 'delivered' }, { message: id }))
        .status,
    ).toBe(200);
    expect(await read(id)).toMatchObject({ provider_sid: first, status: 'sent' });
  });

  test('the signature of a status callback is verified with empty, non-Latin and encoded fields', async () => {
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
    expect((await sendStatus(fields, { message: id })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'sent' });
  });

  test('a status callback without a required field is refused with missing_params, and a NUL in a field is harmless', async () => {
    const required = { MessageSid: newSid(), MessageStatus: 'sent' };
    for (const name of Object.keys(required)) {
      expectRefusal(
        await sendStatus({ ...required, [name]: '' }),
        400,
        'missing_params',
        new RegExp(name),
      );
    }
    for (const name of [...Object.keys(required), 'ErrorCode', 'From']) {
      const id = await send();
      const answer = await sendStatus(
        { ...required, MessageSid: newSid(), [name]: 'a\0b' },
        { message: id },
      );
      // Fields that select the message and the status must be valid.
      const isRefused = name in required;
      expect(answer.status).toBe(isRefused ? 400 : 200);
      expect((await read(id))['status']).toBe(isRefused ? 'queued' : 'sent');
    }
    expect(await service.countRows('orphan_callbacks')).toBe(0);
  });
});

describe('forged status callbacks', () => {
  const status = { MessageStatus: 'delivered' };

  async function expectForged(id: string, run: () => Promise<Answer>): Promise<void> {
    const before = await snapshot(id);
    expectRefusal(await run(), 403, 'forbidden', /^Insufficient permissions for the resource/);
    expect(await snapshot(id)).toEqual(before);
    expect(await service.countRows('orphan_callbacks')).toBe(0);
  }

  test('a status callback with a missing or wrong signature is refused with 403 and writes nothing', async () => {
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
      await expectForged(id, () => sendStatus(fields, { message: id, signature }));
    }
    expect((await sendStatus(fields, { message: id, signature: right })).status).toBe(200);
  });

  test('a status callback that one workspace signs for a message of another is refused and writes nothing', async () => {
    const other = await service.addWorkspace();
    const [id, sid] = [await send(other), newSid()];
    // With its own AccountSid, and with the other one's, for which it has no token.
    await expectForged(id, () => sendStatus({ MessageSid: sid, ...status }, { message: id }));
    await callBack(service.url, other, { MessageSid: sid, MessageStatus: 'sent' }, { message: id });
    await expectForged(id, () =>
      sendStatus({ MessageSid: sid, ...status, AccountSid: other.accountSid }),
    );
    await expectForged(id, () =>
      sendStatus({ MessageSid: sid, ...status }, { workspaceId: other.workspaceId }),
    );
    expect(await read(id, other)).toMatchObject({ status: 'sent' });
  });

  test('a status callback cannot use an identifier of another workspace with the same account', async () => {
    const other = await service.addWorkspace({ accountSid: workspace.accountSid });
    const [id, sid] = [await send(other), newSid()];
    await callBack(service.url, other, { MessageSid: sid, MessageStatus: 'sent' }, { message: id });
    await expectForged(id, () => sendStatus({ MessageSid: sid, ...status }));
  });

  test('a status callback with another AccountSid than the configured one is refused and writes nothing', async () => {
    const id = await send();
    for (const AccountSid of [`AC${'f'.repeat(32)}`, workspace.accountSid.toUpperCase()]) {
      await expectForged(id, () =>
        sendStatus({ MessageSid: newSid(), ...status, AccountSid }, { message: id }),
      );
    }
  });

  test('a status callback for an unknown workspace or one without a provider is refused and writes nothing', async () => {
    const id = await send();
    const bare = await service.addWorkspace({ provider: false });
    for (const workspaceId of [
      bare.workspaceId,
      '01920000-0000-7000-8000-000000000000',
      'x',
      '%00',
    ]) {
      await expectForged(id, () =>
        sendStatus({ MessageSid: newSid(), ...status }, { message: id, workspaceId }),
      );
    }
  });

  test('a status callback without a body is refused and writes nothing', async () => {
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

describe('invalid bodies of status callbacks', () => {
  const knock = (raw: string, type: string) => {
    const path = `/api/webhooks/twilio/${workspace.workspaceId}/status`;
    const signature = sign(workspace.authToken, service.url + path, {});
    return ask(service.url, path, {
      raw,
      headers: { 'content-type': type, 'x-twilio-signature': signature },
    });
  };

  test('a status callback in JSON or another content type is refused and writes nothing', async () => {
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

  test('a status callback over 64 KiB or with ten thousand fields is refused', async () => {
    const type = 'application/x-www-form-urlencoded';
    expectRefusal(await knock(`a=${'x'.repeat(70_000)}`, type), 400, 'invalid_params', /64 KiB/);
    expectRefusal(await knock('a&'.repeat(10_000), type), 403, 'forbidden');
    expectRefusal(await knock('%&%zz=%ff&=&__proto__=x', type), 403, 'forbidden');
    expect((await ask(service.url, '/health/live')).status).toBe(200);
  });
});

test('many repeated and shuffled status callbacks leave every message as delivered', async () => {
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
      sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id }),
    ),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  for (const { id, sid } of messages)
    expect(await read(id)).toMatchObject({ status: 'delivered', provider_sid: sid });
  // The events of a workspace are numbered without gaps.
  const [row] = await service.sql(
    'SELECT count(*)::int AS n, max(seq)::int AS last FROM message_events WHERE workspace_id = $1',
    [workspace.workspaceId],
  );
  expect(row?.['n']).toBe(row?.['last']);
});

/** Shuffles deterministically. */
function hash({ sid, status, turn }: { sid: string; status: string; turn: number }): number {
  return [...`${sid}${status}${turn}`].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003,
    7,
  );
}
