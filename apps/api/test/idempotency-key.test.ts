import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTUALLY, type WorkspaceFixture } from '@switchboard/testing';
import { callBack } from './call-back.ts';
import {
  type Answer,
  BACKENDS,
  type Service,
  ask,
  expectRefusal,
  startService,
  upwards,
} from './start-service.ts';

const TO = '+15551230001';

describe.each(BACKENDS)('Idempotency-Key on %s', (backend) => {
  let service: Service;
  let workspace: WorkspaceFixture;
  let keys = 0;

  beforeAll(async () => {
    service = await startService({
      backend,
      apis: 2,
      env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000', SWEEP_MS: '60000' },
    });
    workspace = await service.addWorkspace();
  });
  afterAll(() => service.close());

  const newKey = () => `key-${(keys += 1)}`;

  function send(
    key: string | null,
    json: unknown = { to: TO, body: 'once' },
    options: { headers?: Record<string, string>; api?: number; token?: string } = {},
  ): Promise<Answer> {
    return ask(service.apis[options.api ?? 0]?.url ?? '', '/api/messages', {
      token: options.token ?? workspace.apiKey,
      json,
      headers: { ...(key !== null && { 'idempotency-key': key }), ...options.headers },
    });
  }

  const countMessages = () => service.countRows('messages');

  function expectReplay(answer: Answer, first: Answer): void {
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect([answer.status, answer.text]).toEqual([201, first.text]);
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
  }

  test('a replayed request receives the identical response from any process and is stored once', async () => {
    const key = newKey();
    const before = await countMessages();
    const first = await send(key);
    expectReplay(await send(key), first);
    expectReplay(await send(key, undefined, { api: 1 }), first);
    expectReplay(await send(key, { body: 'once', to: TO, unknown: 1 }), first);
    expect(await countMessages()).toBe(before + 1);
  });

  test('two equal requests without an Idempotency-Key are two messages', async () => {
    const before = await countMessages();
    await send(null);
    await send(null);
    expect(await countMessages()).toBe(before + 2);
  });

  test.each([
    ['another recipient', { to: '+15551230002', body: 'once' }],
    ['another body', { to: TO, body: 'once ' }],
    ['a sender', { to: TO, body: 'once', from: '+15005550006' }],
    ['media', { to: TO, body: 'once', media_urls: ['https://a.example/1'] }],
    [
      'a send time',
      { to: TO, body: 'once', scheduled_at: new Date(Date.now() + 60_000).toISOString() },
    ],
    ['a sender that is foreign', { to: TO, body: 'once', from: '+15005550077' }],
  ])(
    'a request that reuses an Idempotency-Key with %s is refused and stores nothing',
    async (_name, json) => {
      const key = newKey();
      const first = await send(key);
      const before = await countMessages();
      expectRefusal(await send(key, json), 400, 'idempotency_key_reused');
      expect(await countMessages()).toBe(before);
      expectReplay(await send(key), first);
    },
  );

  test('an Idempotency-Key belongs to its route and its workspace', async () => {
    const key = newKey();
    await send(key);
    const path = `/api/ui/workspaces/${workspace.workspaceId}/messages`;
    const dashboard = await ask(service.url, path, {
      token: workspace.sessionToken,
      json: { to: TO, body: 'once' },
      headers: { 'idempotency-key': key },
    });
    expectRefusal(dashboard, 400, 'idempotency_key_reused');
    const other = await service.addWorkspace();
    const theirs = await send(key, undefined, { token: other.apiKey });
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test('a refused request does not use up its Idempotency-Key', async () => {
    const key = newKey();
    const bare = await service.addWorkspace({ provider: false });
    const refused: [unknown, string, string?][] = [
      [{}, 'missing_params'],
      [{ to: 'x', body: 'x' }, 'invalid_params'],
      [{ to: TO, body: 'x', scheduled_at: '2020-01-01T00:00:00Z' }, 'invalid_params'],
      [{ to: TO, body: 'x', from: '+15005550077' }, 'forbidden'],
      [{ to: TO, body: 'x' }, 'provider_not_configured', bare.apiKey],
    ];
    for (const [json, error, token] of refused) {
      const answer = await send(key, json, { ...(token !== undefined && { token }) });
      expect(answer.json?.['error']).toBe(error);
    }
    const first = await send(key);
    expect(first.status).toBe(201);
    expectReplay(await send(key), first);
  });

  test('50 concurrent requests with one Idempotency-Key on two processes store one row and receive one response', async () => {
    const key = newKey();
    const before = await countMessages();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => send(key, undefined, { api: n % 2 })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(49);
    expect(await countMessages()).toBe(before + 1);
  });

  test('of 50 concurrent different requests with one Idempotency-Key, one is accepted and the others are refused', async () => {
    const key = newKey();
    const before = await countMessages();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => send(key, { to: TO, body: `n ${n}` }, { api: n % 2 })),
    );
    const statuses = answers.map(({ status }) => status).toSorted(upwards);
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 400)]);
    expect(await countMessages()).toBe(before + 1);
  });

  test('a quoted Idempotency-Key equals the unquoted one', async () => {
    const key = newKey();
    const first = await send(`"${key}"`);
    expectReplay(await send(key), first);
    expectReplay(await send(`  "${key}"  `), first);
  });

  test.each([
    ['256 characters', 'k'.repeat(256)],
    ['257 characters in quotes', `"${'k'.repeat(256)}"`],
    ['nothing', ''],
    ['nothing in quotes', '""'],
    ['a letter beyond ASCII', 'clé'],
    ['a tab', 'a\tb'],
  ])(
    'an Idempotency-Key of %s is refused with an error that names it, after the parameters are checked',
    async (_name, key) => {
      const before = await countMessages();
      expectRefusal(await send(key), 400, 'invalid_params', /`Idempotency-Key`/);
      expectRefusal(await send(key, { to: TO }), 400, 'missing_params', /`body`/);
      expect(await countMessages()).toBe(before);
    },
  );

  test('an Idempotency-Key may have 1 to 255 printable characters', async () => {
    for (const key of ['k', 'k'.repeat(255), ' !"#$%&\'()*+,-./09:;<=>?@AZ[]^_`az{|}~ '.trim()]) {
      const first = await send(key);
      expect(first.status).toBe(201);
      expectReplay(await send(key), first);
    }
  });

  test('an Idempotency-Key expires after 24 hours, and not a minute before', async () => {
    const key = newKey();
    const first = await send(key);
    const age = (interval: string) =>
      service.sql(`UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1`, [
        key,
        interval,
      ]);
    await age('23 hours 59 minutes');
    expectReplay(await send(key), first);
    await age('24 hours 1 minute');
    const other = { to: TO, body: 'another one' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(key, other, { api: n % 2 })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json?.['id']).not.toBe(first.json?.['id']);
    const news = answers.filter(({ headers }) => headers.get('idempotent-replayed') === null);
    expect(news).toHaveLength(1);
  });

  test('a scheduled message can be replayed after its send time', async () => {
    const key = newKey();
    const json = { to: TO, body: 'soon', scheduled_at: new Date(Date.now() + 700).toISOString() };
    const first = await send(key, json);
    expect(first.json?.['status']).toBe('scheduled');
    await expect
      .poll(() => Date.parse(json.scheduled_at) < Date.now(), { timeout: 3_000 })
      .toBe(true);
    expectReplay(await send(key, json), first);
    expectRefusal(await send(newKey(), json), 400, 'invalid_params', /`scheduled_at`/);
  });

  test('a replay returns the first response even if the message has changed', async () => {
    const key = newKey();
    const first = await send(key);
    const id = String(first.json?.['id']);
    const sid = `SM${id.replaceAll('-', '')}`;
    const callback = { MessageSid: sid, MessageStatus: 'delivered' };
    await callBack(service.url, workspace, callback, { message: id });
    const read = await ask(service.url, `/api/messages/${id}`, { token: workspace.apiKey });
    expect(read.json).toMatchObject({ status: 'delivered', provider_sid: sid });
    expectReplay(await send(key), first);
  });

  describe('Prefer: wait', () => {
    /** Returns the id of the message with this body. */
    async function idOf(body: string): Promise<string> {
      let id = '';
      await expect
        .poll(
          async () => {
            const [row] = await service.sql<{ id: string }>(
              'SELECT id FROM messages WHERE body = $1',
              [body],
            );
            id = row?.id ?? '';
            return id;
          },
          { interval: 20, timeout: 5_000 },
        )
        .not.toBe('');
      return id;
    }

    const waits = (body: string, wait: string, key: string | null = null, api = 0) =>
      send(key, { to: TO, body }, { headers: { prefer: wait }, api });

    test('wait=5 responds with the provider_sid as soon as another process receives the callback', async () => {
      const began = performance.now();
      const waiting = waits('wait for me', 'wait=5');
      const id = await idOf('wait for me');
      const callback = await callBack(
        service.apis[1]?.url ?? '',
        workspace,
        { MessageSid: 'SMwaited', MessageStatus: 'sent' },
        { message: id },
      );
      expect(callback.status).toBe(200);
      const answer = await waiting;
      expect(answer.json).toStrictEqual({ id, sid: 'SMwaited', status: 'sent' });
      expect(answer.headers.get('preference-applied')).toBe('wait=5');
      expect(performance.now() - began).toBeLessThan(4_000);
    });

    test('a message that the provider refuses within the wait is answered with 201 and the status failed', async () => {
      const waiting = waits('refuse me', 'wait=5');
      const id = await idOf('refuse me');
      await callBack(
        service.url,
        workspace,
        { MessageSid: 'SMrefused', MessageStatus: 'failed', ErrorCode: '30008' },
        { message: id },
      );
      const answer = await waiting;
      expect([answer.status, answer.json]).toEqual([
        201,
        { id, sid: 'SMrefused', status: 'failed' },
      ]);
    });

    test('a wait that times out is answered with the current status', async () => {
      const began = performance.now();
      const answer = await waits('no callback', 'wait=1');
      expect(answer.json).toMatchObject({ status: 'queued', sid: answer.json?.['id'] });
      expect(answer.headers.get('preference-applied')).toBe('wait=1');
      expect(performance.now() - began).toBeGreaterThan(950);
      expect(performance.now() - began).toBeLessThan(3_000);
    });

    test.each([
      ['wait=0', 'wait=0'],
      ['respond-async, wait=0', 'wait=0'],
      ['WAIT = 0', 'wait=0'],
      ['wait', null],
      ['wait=', null],
      ['wait=abc', null],
      ['wait=-1', null],
      ['wait=1.5', null],
      ['return=minimal', null],
      ['', null],
    ])('a send with `Prefer: %s` is answered immediately', async (prefer, applied) => {
      const began = performance.now();
      const answer = await waits('at once', prefer);
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, applied]);
      expect(performance.now() - began).toBeLessThan(900);
    });

    test('a wait above 30 seconds is reduced to 30', async () => {
      const waiting = waits('for ever', 'wait=86400');
      const id = await idOf('for ever');
      await callBack(
        service.url,
        workspace,
        { MessageSid: 'SMforever', MessageStatus: 'queued' },
        { message: id },
      );
      expect((await waiting).headers.get('preference-applied')).toBe('wait=30');
    });

    test('a refused send has no Preference-Applied header', async () => {
      const refused = await waits('', 'wait=5');
      expect([refused.status, refused.headers.get('preference-applied')]).toEqual([400, null]);
      const foreign = await send(
        null,
        { to: TO, body: 'x', from: '+15005550077' },
        { headers: { prefer: 'wait=5' } },
      );
      expect([foreign.status, foreign.headers.get('preference-applied')]).toEqual([403, null]);
    });

    test('a retry is answered immediately if the process of the first request died long ago', async () => {
      const key = newKey();
      const first = await send(key);
      // The state after a process was killed while it waited.
      await service.sql(
        `UPDATE idempotency_keys SET response = NULL, created_at = now() - interval '33 s' WHERE key = $1`,
        [key],
      );
      const began = performance.now();
      expectReplay(await send(key), first);
      expect(performance.now() - began).toBeLessThan(5_000);
    });

    test.each([
      ['as soon as the provider responds', null],
      ['when its own wait ends', 'wait=1'],
    ])(
      'a retry of a first request that was lost while waiting is answered %s',
      async (_when, wait) => {
        const [key, body] = [newKey(), `given up: ${wait}`];
        const first = await send(key, { to: TO, body });
        const id = String(first.json?.['id']);
        await service.sql('UPDATE idempotency_keys SET response = NULL WHERE key = $1', [key]);
        const headers: Record<string, string> = wait === null ? {} : { prefer: wait };
        const retry = send(key, { to: TO, body }, { headers });
        const fields = { MessageSid: 'SMgivenUp', MessageStatus: 'sent' };
        if (wait === null) await callBack(service.url, workspace, fields, { message: id });
        const sid = wait === null ? 'SMgivenUp' : id;
        const status = wait === null ? 'sent' : 'queued';
        const answer = await retry;
        expect(answer.json).toStrictEqual({ id, sid, status });
        expect((await send(key, { to: TO, body })).text).toBe(answer.text);
      },
      // The longest wait of a retry is 25 s in this test.
      30_000,
    );

    test('a retry that overlaps with the waiting first request receives the same response', async () => {
      const key = newKey();
      const first = waits('raced', 'wait=10', key);
      const id = await idOf('raced');
      const retries = [
        waits('raced', 'wait=10', key, 1),
        waits('raced', 'wait=0', key, 0),
        send(key, { to: TO, body: 'raced' }, { api: 1 }),
      ];
      await callBack(
        service.url,
        workspace,
        { MessageSid: 'SMraced', MessageStatus: 'delivered' },
        { message: id },
      );
      const answer = await first;
      expect(answer.json).toStrictEqual({ id, sid: 'SMraced', status: 'delivered' });
      for (const retry of await Promise.all(retries)) expectReplay(retry, answer);
    });
  });
});

test('an API that is stopped answers all requests that wait for the provider', async () => {
  const service = await startService({ env: { SWEEP_MS: '60000' } });
  const { apiKey } = await service.addWorkspace();
  try {
    const waiting = ask(service.url, '/api/messages', {
      token: apiKey,
      json: { to: TO, body: 'shutting down' },
      headers: { prefer: 'wait=30' },
    });
    await expect.poll(() => service.countRows('messages'), { ...EVENTUALLY, interval: 20 }).toBe(1);
    const began = performance.now();
    const stopping = service.apis[0]?.stop();
    const answer = await waiting;
    expect([answer.status, answer.json?.['status']]).toEqual([201, 'queued']);
    await stopping;
    expect(performance.now() - began).toBeLessThan(5_000);
  } finally {
    await service.close();
  }
});

test('SEND_WAIT_SECONDS enables the wait by default, and a request may decline it', async () => {
  const service = await startService({ env: { SWEEP_MS: '60000', SEND_WAIT_SECONDS: '1' } });
  const { apiKey } = await service.addWorkspace();
  try {
    const timed = async (headers: Record<string, string>) => {
      const began = performance.now();
      const answer = await ask(service.url, '/api/messages', {
        token: apiKey,
        json: { to: TO, body: 'x' },
        headers,
      });
      return { ms: performance.now() - began, applied: answer.headers.get('preference-applied') };
    };
    const [waited, declined] = [await timed({}), await timed({ prefer: 'wait=0' })];
    expect(waited.ms).toBeGreaterThan(950);
    expect(declined.ms).toBeLessThan(900);
    expect([waited.applied, declined.applied]).toEqual([null, 'wait=0']);
  } finally {
    await service.close();
  }
});
