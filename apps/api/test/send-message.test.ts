import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type Answer, type Service, ask, expectRefusal, startService } from './start-service.ts';

const TO = '+15551230001';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: Service;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000' },
  });
  workspace = await service.addWorkspace();
});
afterAll(() => service.close());

function send(json: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(service.url, '/api/messages', { token: workspace.apiKey, json, headers });
}

async function read(id: unknown): Promise<Record<string, unknown>> {
  const answer = await ask(service.url, `/api/messages/${String(id)}`, { token: workspace.apiKey });
  expect(answer.status).toBe(200);
  return answer.json ?? {};
}

const countMessages = () => service.countRows('messages');

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
      const answer = await ask(service.url, '/api/messages', {
        token: own.apiKey,
        json: { to: TO, body: 'x', from: given },
      });
      const [row] = await service.sql('SELECT "from" FROM messages WHERE id = $1', [
        answer.json?.['id'],
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
      sent_by: { type: 'api_key', id: workspace.apiKeyId, name: 'Test' },
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

describe('texts of messages', () => {
  const family = '👨‍👩‍👧‍👦';
  test.each([
    ['Latin', 'Grüße aus Köln, señor!', 1],
    ['emoji with joiners', `${family} ❤️‍🔥 🏴‍☠️`, 1],
    ['Arabic', 'مرحبا بالعالم', 1],
    ['Chinese', '你好，世界', 1],
    ['combining and bidirectional marks', 'e\u0301 \u202eabc\u202c \u200f', 1],
    ['line breaks and tabs', 'a\r\nb\tc\n', 1],
    ['the whole GSM extension table', '^{}\\[~]|€', 1],
    ['white space only', '   ', 1],
    ['HTML and quotes', '<script>"\'&amp;</script> \\u0041 %00', 1],
    ['160 GSM characters', 'a'.repeat(160), 1],
    ['161 GSM characters', 'a'.repeat(161), 2],
    ['306 GSM characters', 'a'.repeat(306), 2],
    ['307 GSM characters', 'a'.repeat(307), 3],
    ['80 extension characters', '€'.repeat(80), 1],
    ['81 extension characters', '€'.repeat(81), 2],
    // 153 septets hold 76 pairs and one more septet: a pair is never split.
    ['153 extension characters', '€'.repeat(153), 3],
    ['70 Chinese characters', '你'.repeat(70), 1],
    ['71 Chinese characters', '你'.repeat(71), 2],
    ['35 emoji', '😀'.repeat(35), 1],
    ['36 emoji', '😀'.repeat(36), 2],
    // 67 units hold 33 pairs and one more unit.
    ['67 emoji', '😀'.repeat(67), 3],
    ['one Chinese character in 160', `${'a'.repeat(159)}你`, 3],
    ['a tab, which GSM-7 lacks', `${'a'.repeat(70)}\t`, 2],
    ['a lower-case c cedilla, which GSM-7 lacks', `${'a'.repeat(70)}ç`, 2],
    ['1,600 GSM characters', 'a'.repeat(1600), 11],
    ['1,600 code units of emoji', '😀'.repeat(800), 25],
    ['1,600 Chinese characters', '字'.repeat(1600), 24],
  ])(
    'a text of %s is stored unchanged, and its segments are counted',
    async (_name, body, segments) => {
      const { json, status } = await send({ to: TO, body });
      expect(status).toBe(201);
      const message = await read(json?.['id']);
      expect(message['body']).toBe(body);
      expect(message['segments']).toBe(segments);
    },
  );
});

describe('media of messages', () => {
  const url = 'https://media.example.com/a%20b.jpg?x=1&y=ü';

  test('a message may have 1 to 10 media, which keep their order, and then an empty body', async () => {
    for (const urls of [[url], Array.from({ length: 10 }, (_, n) => `https://m.example/${n}`)]) {
      const { json, status } = await send({ to: TO, body: '', media_urls: urls });
      expect(status).toBe(201);
      const { body, media } = await read(json?.['id']);
      expect(body).toBe('');
      expect(media).toEqual(urls.map((entry) => ({ url: entry, content_type: null })));
    }
  });

  test('a message with media needs a body, which may be empty', async () => {
    for (const body of [undefined, null]) {
      expectRefusal(
        await send({ to: TO, body, media_urls: [url] }),
        400,
        'missing_params',
        /`body`/,
      );
    }
  });

  test.each([
    ['empty', []],
    ['11 entries', Array.from({ length: 11 }, () => url)],
    ['a string', url],
    ['an object', { 0: url, length: 1 }],
    ['null', null],
    ['null in it', [null]],
    ['a number in it', [url, 7]],
    ['http', ['http://media.example.com/a.jpg']],
    ['ftp', ['ftp://media.example.com/a.jpg']],
    ['data', ['data:image/png;base64,AA']],
    ['file', ['file:///etc/passwd']],
    ['javascript', ['javascript:alert(1)']],
    ['credentials', ['https://user:secret@media.example.com/a.jpg']],
    ['a user name', ['https://user@media.example.com/a.jpg']],
    ['no host', ['https://']],
    ['no slashes', ['https:media.example.com/a.jpg']],
    ['one slash', ['https:/media.example.com/a.jpg']],
    ['backslashes', ['https:\\\\media.example.com\\a.jpg']],
    ['white space around', [` ${url}`]],
    ['a line break within', ['https://media.exa\nmple.com/a.jpg']],
    ['a NUL within', ['https://media.example.com/\0']],
    ['a relative address', ['/a.jpg']],
    ['an empty string', ['']],
    ['2,049 characters', [`https://media.example.com/${'a'.repeat(2023)}`]],
  ])(
    'invalid media_urls (%s) are refused with an error that names them',
    async (_name, mediaUrls) => {
      const before = await countMessages();
      const answer = await send({ to: TO, body: 'x', media_urls: mediaUrls });
      expectRefusal(answer, 400, 'invalid_params', /`media_urls/);
      expect(await countMessages()).toBe(before);
    },
  );
});

describe('scheduled messages', () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const DAY = 86_400_000;

  test('a message can be scheduled up to 35 days ahead in any time zone and has the status scheduled', async () => {
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 + DAY);
    const local = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 19);
    for (const given of [at.toISOString(), `${local}+05:30`, `${local}+0530`]) {
      const { json, status } = await send({ to: TO, body: 'later', scheduled_at: given });
      expect(status).toBe(201);
      expect(json).toStrictEqual({ id: json?.['id'], sid: json?.['id'], status: 'scheduled' });
      expect(await read(json?.['id'])).toMatchObject({
        status: 'scheduled',
        scheduled_at: at.toISOString(),
        events: [{ type: 'scheduled', status: 'scheduled' }],
      });
    }
    expect((await send({ to: TO, body: 'x', scheduled_at: inMs(35 * DAY - 5000) })).status).toBe(
      201,
    );
  });

  test.each([
    ['the past', () => inMs(-1000)],
    ['beyond 35 days', () => inMs(35 * DAY + 60_000)],
    ['no offset', () => inMs(DAY).slice(0, -1)],
    ['a date alone', () => inMs(DAY).slice(0, 10)],
    ['a number', () => Date.now() + DAY],
    ['a numeral', () => String(Date.now() + DAY)],
    ['words', () => 'tomorrow'],
    ['an empty string', () => ''],
    ['null', () => null],
    ['a list', () => [inMs(DAY)]],
    ['the 30th of February', () => `${new Date().getUTCFullYear() + 1}-02-30T00:00:00Z`],
    ['HTTP form', () => new Date(Date.now() + DAY).toUTCString()],
    ['a NUL at its end', () => `${inMs(DAY)}\0`],
    ['year 275760', () => '+275760-09-13T00:00:00.000Z'],
  ])('an invalid scheduled_at (%s) is refused with an error that names it', async (_name, make) => {
    const answer = await send({ to: TO, body: 'x', scheduled_at: make() });
    expectRefusal(answer, 400, 'invalid_params', /`scheduled_at`/);
  });
});

describe('sends with missing parameters', () => {
  test.each([
    ['nothing', {}, /`to`, `body`/],
    ['no to', { body: 'x' }, /`to`/],
    ['no body', { to: TO }, /`body`/],
    ['to null', { to: null, body: 'x' }, /`to`/],
    ['body null', { to: TO, body: null }, /`body`/],
    ['to empty', { to: '', body: 'x' }, /`to`/],
    ['body empty', { to: TO, body: '' }, /`body`/],
    ['body empty, no media', { to: TO, body: '', media_urls: [] }, /`body`/],
    ['to absent while body is wrong', { body: 7 }, /`to`/],
    ['body absent while to is wrong', { to: 'abc' }, /`body`/],
    ['body absent while from is wrong', { to: TO, from: 7 }, /`body`/],
    ['body absent while media is wrong', { to: TO, media_urls: 7 }, /`body`/],
    ['to absent while the body is too long', { body: 'a'.repeat(1601) }, /`to`/],
    [
      'to empty, body empty with media',
      { to: '', body: '', media_urls: ['https://a.example/'] },
      /`to`/,
    ],
    ['a list', [{ to: TO, body: 'x' }], /`to`, `body`/],
    ['an empty list', [], /`to`, `body`/],
    ['null', null, /`to`, `body`/],
    ['a string', 'to=+1', /`to`, `body`/],
    ['a number', 7, /`to`, `body`/],
    ['true', true, /`to`, `body`/],
  ])(
    'a send with %s is refused with missing_params before invalid parameters are checked',
    async (_name, json, detail) => {
      expectRefusal(await send(json), 400, 'missing_params', detail);
    },
  );

  test('names of Object.prototype are missing parameters', async () => {
    const answer = await ask(service.url, '/api/messages', {
      token: workspace.apiKey,
      headers: { 'content-type': 'application/json' },
      raw: `{"__proto__":{"to":"${TO}","body":"x"}}`,
    });
    expectRefusal(answer, 400, 'missing_params', /`to`, `body`/);
  });
});

describe('sends with invalid parameters', () => {
  test.each([
    ['a number', 15551230001],
    ['a list', [TO]],
    ['an object', { number: TO }],
    ['true', true],
    ['no plus', '15551230001'],
    ['a zero first', '+05551230001'],
    ['6 digits', '+123456'],
    ['16 digits', '+1234567890123456'],
    ['spaces', '+1 555 123 0001'],
    ['hyphens', '+1-555-123-0001'],
    ['a space around', ` ${TO}`],
    ['a line break after', `${TO}\n`],
    ['letters', '+1555CALLNOW'],
    ['other digits', '+١٥٥٥١٢٣٤٥٦٧'],
    ['a wide plus', '＋15551230001'],
    ['two', `${TO},${TO}`],
    ['a NUL', `${TO}\0`],
    ['a lone surrogate', '+1555\ud800'],
    ['60,000 digits', `+${'1'.repeat(60_000)}`],
  ])(
    'a send with an invalid `to` (%s) is refused with an error that names it and stores nothing',
    async (_name, to) => {
      const before = await countMessages();
      expectRefusal(await send({ to, body: 'x' }), 400, 'invalid_params', /^`to`/);
      expectRefusal(await send({ to: TO, body: 'x', from: to }), 400, 'invalid_params', /^`from`/);
      expect(await countMessages()).toBe(before);
    },
  );

  test.each([
    ['null', null],
    ['an empty string', ''],
  ])('a send with an invalid `from` (%s) is refused with invalid_params', async (_name, from) => {
    expectRefusal(await send({ to: TO, body: 'x', from }), 400, 'invalid_params', /^`from`/);
  });

  test.each([
    ['a number', 7],
    ['zero', 0],
    ['false', false],
    ['a list', ['x']],
    ['an object', { text: 'x' }],
    ['1,601 characters', 'a'.repeat(1601)],
    ['801 emoji', '😀'.repeat(801)],
    ['a NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', '\udc00'],
    ['surrogates the wrong way round', '\udc00\ud800'],
  ])(
    'a send with an invalid `body` (%s) is refused with an error that names it and stores nothing',
    async (_name, body) => {
      const before = await countMessages();
      expectRefusal(await send({ to: TO, body }), 400, 'invalid_params', /^`body`/);
      expect(await countMessages()).toBe(before);
    },
  );

  test('numbers of 7 to 15 digits are accepted', async () => {
    for (const to of ['+1234567', '+123456789012345']) {
      const { json, status } = await send({ to, body: 'x' });
      expect(status).toBe(201);
      expect((await read(json?.['id']))['to']).toBe(to);
    }
  });
});

describe('order of the checks of a send', () => {
  const wrong = { to: 7, body: 7 };

  test('the credential is checked before the body, even if the body is not JSON', async () => {
    for (const raw of ['{', JSON.stringify(wrong), 'a'.repeat(70_000)]) {
      const answer = await ask(service.url, '/api/messages', {
        headers: { 'content-type': 'application/json' },
        raw,
      });
      expectRefusal(answer, 401, 'unauthorized', /^Invalid or missing API key$/);
    }
  });

  test('parameters are checked before the Idempotency-Key, and that before the provider', async () => {
    const bare = await service.addWorkspace({ provider: false });
    const post = (json: unknown, key: string) =>
      ask(service.url, '/api/messages', {
        token: bare.apiKey,
        json,
        headers: { 'idempotency-key': key },
      });
    const tooLong = 'k'.repeat(256);
    expectRefusal(await post(wrong, tooLong), 400, 'invalid_params', /`to`/);
    expectRefusal(
      await post({ to: TO, body: 'x' }, tooLong),
      400,
      'invalid_params',
      /`Idempotency-Key`/,
    );
    expectRefusal(await post({ to: TO, body: 'x' }, 'k'), 400, 'provider_not_configured');
  });

  test('the provider is checked before a foreign sender, that before a missing one, that before the opt-out', async () => {
    const foreign = '+15005550077';
    const bare = await service.addWorkspace({ provider: false, from: null });
    const noSender = await service.addWorkspace({ from: null });
    for (const { workspaceId } of [bare, noSender, workspace]) {
      await service.sql(
        `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, '+15551239999', 'STOP', now())`,
        [workspaceId],
      );
    }
    const post = (token: string, from?: string) =>
      ask(service.url, '/api/messages', { token, json: { to: '+15551239999', body: 'x', from } });
    const before = await countMessages();
    expectRefusal(await post(bare.apiKey, foreign), 400, 'provider_not_configured');
    expectRefusal(await post(bare.apiKey), 400, 'provider_not_configured');
    expectRefusal(
      await post(noSender.apiKey, foreign),
      403,
      'forbidden',
      /^Insufficient permissions for the resource/,
    );
    expectRefusal(await post(noSender.apiKey), 400, 'sender_not_configured');
    expectRefusal(await post(workspace.apiKey, foreign), 403, 'forbidden');
    expectRefusal(await post(workspace.apiKey), 400, 'recipient_opted_out');
    expect(await countMessages()).toBe(before);
  });

  test("another workspace's number is a foreign sender, and its opt-outs are its own", async () => {
    const other = await service.addWorkspace({ from: '+15005550066' });
    await service.sql(
      `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, '+15551238888', 'STOP', now())`,
      [other.workspaceId],
    );
    expectRefusal(await send({ to: TO, body: 'x', from: '+15005550066' }), 403, 'forbidden');
    expect((await send({ to: '+15551238888', body: 'x' })).status).toBe(201);
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
