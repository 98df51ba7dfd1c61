import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { callBack } from '../call-back.ts';
import { type Environment, TO, expectReplay } from './environment.ts';

/** `Prefer: wait`, with and without Idempotency-Keys. */
export function describePreferWait(target: Environment): void {
  const { newKey, send } = target;

  describe('Prefer: wait', () => {
    /** Returns the id of the message with this body. */
    async function idOf(body: string): Promise<string> {
      let id = '';
      await expect
        .poll(
          async () => {
            const [row] = await target.service.sql<{ id: string }>(
              'SELECT id FROM messages WHERE body = $1',
              [body],
            );
            id = row?.id ?? '';
            return id;
          },
          { ...EVENTUALLY, interval: 20 },
        )
        .not.toBe('');
      return id;
    }

    const waits = (body: string, wait: string, key: string | null = null, api = 0) =>
      send(key, { to: TO, body }, { headers: { prefer: wait }, api });

    test('a send with `Prefer: wait=30` gets the provider_sid as soon as another process receives the callback', async () => {
      // The test cancels a request after 25 seconds, so the end of the wait cannot answer it.
      const waiting = waits('wait for me', 'wait=30');
      const id = await idOf('wait for me');
      const callback = await callBack(
        target.service.apis[1]?.url ?? '',
        target.workspace,
        { MessageSid: 'SMwaited', MessageStatus: 'sent' },
        { message: id },
      );
      expect(callback.status).toBe(200);
      const response = await waiting;
      expect(response.json).toStrictEqual({ id, sid: 'SMwaited', status: 'sent' });
      expect(response.headers.get('preference-applied')).toBe('wait=30');
    });

    test('a message that the provider refuses within the wait is answered with 201 and the status failed', async () => {
      const waiting = waits('refuse me', 'wait=30');
      const id = await idOf('refuse me');
      await callBack(
        target.service.url,
        target.workspace,
        { MessageSid: 'SMrefused', MessageStatus: 'failed', ErrorCode: '30008' },
        { message: id },
      );
      const response = await waiting;
      expect([response.status, response.json]).toEqual([
        201,
        { id, sid: 'SMrefused', status: 'failed' },
      ]);
    });

    test('a wait that times out is answered with the current status', async () => {
      const began = performance.now();
      const response = await waits('no callback', 'wait=1');
      expect(response.json).toMatchObject({ status: 'queued', sid: response.json?.['id'] });
      expect(response.headers.get('preference-applied')).toBe('wait=1');
      expect(performance.now() - began).toBeGreaterThan(950);
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
      // The shortest wait is a second. On a busy machine, a send may take as long without a wait.
      const times: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const began = performance.now();
        const response = await waits('at once', prefer);
        times.push(performance.now() - began);
        expect([response.status, response.headers.get('preference-applied')]).toEqual([
          201,
          applied,
        ]);
      }
      expect(Math.min(...times)).toBeLessThan(900);
    });

    test('a wait above 30 seconds is reduced to 30', async () => {
      const waiting = waits('forever', 'wait=86400');
      const id = await idOf('forever');
      await callBack(
        target.service.url,
        target.workspace,
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
      await target.service.sql(
        `UPDATE idempotency_keys SET response = NULL, created_at = now() - interval '33 s' WHERE key = $1`,
        [key],
      );
      const began = performance.now();
      expectReplay(await send(key), first);
      // The longest wait of a retry is 25 s in this test.
      expect(performance.now() - began).toBeLessThan(20_000);
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
        await target.service.sql('UPDATE idempotency_keys SET response = NULL WHERE key = $1', [
          key,
        ]);
        const headers: Record<string, string> = wait === null ? {} : { prefer: wait };
        const retry = send(key, { to: TO, body }, { headers });
        const fields = { MessageSid: 'SMgivenUp', MessageStatus: 'sent' };
        if (wait === null)
          await callBack(target.service.url, target.workspace, fields, { message: id });
        const sid = wait === null ? 'SMgivenUp' : id;
        const status = wait === null ? 'sent' : 'queued';
        const response = await retry;
        expect(response.json).toStrictEqual({ id, sid, status });
        expect((await send(key, { to: TO, body })).text).toBe(response.text);
      },
      // The longest wait of a retry is 25 s in this test.
      30_000,
    );

    test('a retry that overlaps with the waiting first request receives the same response', async () => {
      const key = newKey();
      const first = waits('raced', 'wait=30', key);
      const id = await idOf('raced');
      const retries = [
        waits('raced', 'wait=30', key, 1),
        waits('raced', 'wait=0', key, 0),
        send(key, { to: TO, body: 'raced' }, { api: 1 }),
      ];
      await callBack(
        target.service.url,
        target.workspace,
        { MessageSid: 'SMraced', MessageStatus: 'delivered' },
        { message: id },
      );
      const response = await first;
      expect(response.json).toStrictEqual({ id, sid: 'SMraced', status: 'delivered' });
      for (const retry of await Promise.all(retries)) expectReplay(retry, response);
    });
  });
}
