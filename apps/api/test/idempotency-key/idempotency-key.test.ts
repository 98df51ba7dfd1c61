import { EVENTUALLY, numbersTo, sendEach } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { callBack } from '../call-back.ts';
import { BACKENDS, ask, expectRefusal, sendRaw, upwards } from '../start-service.ts';
import { TO, expectReplay, openEnvironment } from './environment.ts';
import { describePreferWait } from './prefer-wait.suite.ts';

describe.each(BACKENDS)('Idempotency-Key on %s', (backend) => {
  const target = openEnvironment(backend);
  const { countMessages, newKey, send } = target;

  test('a replayed request receives the identical response from any process and is stored once', async () => {
    const key = newKey();
    const before = await countMessages();
    const first = await send(key);
    expectReplay(await send(key), first);
    expectReplay(await send(key, undefined, { api: 1 }), first);
    expectReplay(await send(key, { body: 'once', to: TO, unknown: 1 }), first);
    expect(await countMessages()).toBe(before + 1);
  });

  test('two equal requests without an Idempotency-Key create two messages', async () => {
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
    ['a sender of another workspace', { to: TO, body: 'once', from: '+15005550077' }],
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
    const path = `/api/ui/workspaces/${target.workspace.workspaceId}/messages`;
    const dashboard = await ask(target.service.url, path, {
      token: target.workspace.sessionToken,
      json: { to: TO, body: 'once' },
      headers: { 'idempotency-key': key },
    });
    expectRefusal(dashboard, 400, 'idempotency_key_reused');
    const other = await target.service.addWorkspace();
    const theirs = await send(key, undefined, { token: other.apiKey });
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test('a refused request does not use up its Idempotency-Key', async () => {
    const key = newKey();
    const bare = await target.service.addWorkspace({ provider: false });
    const refused: [unknown, string, string?][] = [
      [{}, 'missing_params'],
      [{ to: 'x', body: 'x' }, 'invalid_params'],
      [{ to: TO, body: 'x', scheduled_at: '2020-01-01T00:00:00Z' }, 'invalid_params'],
      [{ to: TO, body: 'x', from: '+15005550077' }, 'forbidden'],
      [{ to: TO, body: 'x' }, 'provider_not_configured', bare.apiKey],
    ];
    for (const [json, error, token] of refused) {
      const response = await send(key, json, { ...(token !== undefined && { token }) });
      expect(response.json?.['error']).toBe(error);
    }
    const first = await send(key);
    expect(first.status).toBe(201);
    expectReplay(await send(key), first);
  });

  test('50 requests with one Idempotency-Key, 20 at a time on two processes, store one row and receive one response', async () => {
    const key = newKey();
    const before = await countMessages();
    const responses = await sendEach(numbersTo(50), (n) => send(key, undefined, { api: n % 2 }), {
      status: 201,
      atOnce: 20,
    });
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const replayed = responses.filter(
      ({ headers }) => headers.get('idempotent-replayed') === 'true',
    );
    expect(replayed).toHaveLength(49);
    expect(await countMessages()).toBe(before + 1);
  });

  test('of 50 different requests with one Idempotency-Key, 20 at a time, one is accepted and the others are refused', async () => {
    const key = newKey();
    const before = await countMessages();
    const responses = await sendEach(
      numbersTo(50),
      (n) => send(key, { to: TO, body: `n ${n}` }, { api: n % 2 }),
      { status: [201, 400], atOnce: 20 },
    );
    const statuses = responses.map(({ status }) => status).toSorted(upwards);
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 400)]);
    expect(await countMessages()).toBe(before + 1);
  });

  test('a quoted Idempotency-Key counts as the same key without quotes', async () => {
    const key = newKey();
    const first = await send(`"${key}"`);
    expectReplay(await send(key), first);
    expectReplay(await send(`  "${key}"  `), first);
  });

  test.each([
    ['256 characters', 'k'.repeat(256)],
    ['257 characters in quotes', `"${'k'.repeat(256)}"`],
    ['no characters', ''],
    ['no characters in quotes', '""'],
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

  test('a request with two Idempotency-Key headers is refused, and a key may contain a comma', async () => {
    const before = await countMessages();
    const json = JSON.stringify({ to: TO, body: 'once' });
    const head = [
      'POST /api/messages HTTP/1.1',
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${target.workspace.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${json.length}`,
      'Idempotency-Key: one',
      'idempotency-key: two',
    ];
    const received = await sendRaw(target.service.url, [`${head.join('\r\n')}\r\n\r\n${json}`]);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toContain('`Idempotency-Key` must be sent once');
    expect(await countMessages()).toBe(before);
    expect((await send('one, two')).status).toBe(201);
  });

  test('an Idempotency-Key may have 1 to 255 printable characters', async () => {
    for (const key of ['k', 'k'.repeat(255), ' !"#$%&\'()*+,-./09:;<=>?@AZ[]^_`az{|}~ '.trim()]) {
      const first = await send(key);
      expect(first.status).toBe(201);
      expectReplay(await send(key), first);
    }
  });

  test('an Idempotency-Key expires after 24 hours, and not a minute earlier', async () => {
    const key = newKey();
    const first = await send(key);
    const age = (interval: string) =>
      target.service.sql(
        `UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1`,
        [key, interval],
      );
    await age('23 hours 59 minutes');
    expectReplay(await send(key), first);
    await age('24 hours 1 minute');
    const other = { to: TO, body: 'another one' };
    const responses = await sendEach(numbersTo(20), (n) => send(key, other, { api: n % 2 }), {
      status: 201,
    });
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses[0]?.json?.['id']).not.toBe(first.json?.['id']);
    const news = responses.filter(({ headers }) => headers.get('idempotent-replayed') === null);
    expect(news).toHaveLength(1);
  });

  test('a scheduled message can be replayed after its send time', async () => {
    const key = newKey();
    const json = {
      to: TO,
      body: 'soon',
      scheduled_at: new Date(Date.now() + 10_000).toISOString(),
    };
    const first = await send(key, json);
    expect(first.json?.['status']).toBe('scheduled');
    await expect.poll(() => Date.parse(json.scheduled_at) < Date.now(), EVENTUALLY).toBe(true);
    expectReplay(await send(key, json), first);
    expectRefusal(await send(newKey(), json), 400, 'invalid_params', /`scheduled_at`/);
  });

  test('a replay returns the first response even if the message has changed', async () => {
    const key = newKey();
    const first = await send(key);
    const id = String(first.json?.['id']);
    const sid = `SM${id.replaceAll('-', '')}`;
    const callback = { MessageSid: sid, MessageStatus: 'delivered' };
    await callBack(target.service.url, target.workspace, callback, { message: id });
    const read = await ask(target.service.url, `/api/messages/${id}`, {
      token: target.workspace.apiKey,
    });
    expect(read.json).toMatchObject({ status: 'delivered', provider_sid: sid });
    expectReplay(await send(key), first);
  });

  describePreferWait(target);
});
