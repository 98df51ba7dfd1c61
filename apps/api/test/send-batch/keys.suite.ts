import { numbersTo, sendEach } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import {
  TO,
  countMessages,
  listSends,
  newKey,
  outcomesOf,
  resultsOf,
  sendBatch,
  service,
  workspace,
} from './environment.ts';

const keyed = (count: number, prefix = newKey()) =>
  listSends(count).map((send, n) => ({ ...send, idempotency_key: `${prefix}-${n}` }));

export function describeBatchKeys(): void {
  describe('the idempotency_key of a send in a batch', () => {
    test('repeated sends with their keys get the first responses and are stored once, in any batch and process', async () => {
      const messages = keyed(250);
      const first = await sendBatch({ messages });
      const before = await countMessages();
      const again = await sendBatch({ messages: messages.toReversed() }, { api: 1 });
      expect(resultsOf(again)).toEqual(resultsOf(first).toReversed());
      expect(await countMessages()).toBe(before);
    });

    test('a key is the same in a batch and in the header of a single send', async () => {
      const [send, other] = keyed(2);
      const post = (json: object, key: unknown) =>
        ask(service.url, '/api/messages', {
          token: workspace.apiKey,
          json,
          headers: { 'idempotency-key': String(key) },
        });
      const { idempotency_key: key, ...json } = send ?? {};
      const single = await post(json, key);
      const batch = await sendBatch({ messages: [send, { ...send, body: 'other' }, other] });
      expect(resultsOf(batch)[0]).toEqual(single.json);
      const reused = await post({ ...json, body: 'other' }, key);
      expect(resultsOf(batch)[1]).toEqual(reused.json);
      expect(reused.json?.['error']).toBe('idempotency_key_reused');
      const { idempotency_key: otherKey, ...otherJson } = other ?? {};
      const replayed = await post(otherJson, otherKey);
      expect(replayed.json).toEqual(resultsOf(batch)[2]);
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    });

    test('of sends with one key in a batch, the first that is accepted decides', async () => {
      const key = newKey();
      const before = await countMessages();
      const batch = await sendBatch({
        messages: [
          { to: TO, body: 'x', from: '+15005550077', idempotency_key: key },
          { to: TO, body: 'this', idempotency_key: key },
          { to: TO, body: 'this', idempotency_key: key },
          { to: TO, body: 'that', idempotency_key: key },
        ],
      });
      expect(outcomesOf(batch)).toEqual([
        'forbidden',
        'stored',
        'stored',
        'idempotency_key_reused',
      ]);
      expect(resultsOf(batch)[2]).toEqual(resultsOf(batch)[1]);
      expect(await countMessages()).toBe(before + 1);
    });

    test('the order in a batch decides between sends with one key, even while other batches are stored', async () => {
      const others = Array.from({ length: 4 }, () =>
        sendBatch({ messages: listSends(500) }, { token: workspace.apiKey }),
      );
      for (let round = 0; round < 5; round += 1) {
        const pairs = keyed(90).flatMap((send) => [send, { ...send, body: 'later' }]);
        const outcomes = outcomesOf(await sendBatch({ messages: pairs }));
        expect(outcomes).toEqual(
          pairs.map((_, n) => (n % 2 === 0 ? 'stored' : 'idempotency_key_reused')),
        );
      }
      await Promise.all(others);
    });

    test('sends of ten batches at the same time with the same keys are stored once', async () => {
      const messages = keyed(120);
      const before = await countMessages();
      const responses = await sendEach(
        numbersTo(10),
        (n) =>
          sendBatch({ messages: n % 2 === 0 ? messages : messages.toReversed() }, { api: n % 2 }),
        { status: 201, atOnce: 10 },
      );
      const ids = responses.flatMap(resultsOf).map(({ id }) => id);
      expect(new Set(ids).size).toBe(120);
      expect(ids).not.toContain(undefined);
      expect(await countMessages()).toBe(before + 120);
    });

    test.each([['', 'x'.repeat(256), 'clé', 'a\nb', 7]])(
      'a send with an invalid idempotency_key is refused with an error that names it',
      async (...keys) => {
        const messages = keys.map((key) => ({ to: TO, body: 'x', idempotency_key: key }));
        const batch = await sendBatch({ messages });
        for (const result of resultsOf(batch)) {
          expect(result).toEqual({
            error: 'invalid_params',
            detail: expect.stringMatching(/^`idempotency_key` must/),
          });
        }
      },
    );

    test('a key belongs to its workspace', async () => {
      const messages = keyed(3);
      const first = resultsOf(await sendBatch({ messages }));
      const other = await service.addWorkspace();
      const theirs = resultsOf(await sendBatch({ messages }, { token: other.apiKey }));
      expect(theirs.map(({ id }) => id)).not.toEqual(first.map(({ id }) => id));
      expect(await countMessages(other.workspaceId)).toBe(3);
    });
  });

  describe('the Idempotency-Key of a batch', () => {
    test('a repeated batch gets the whole first response, refused sends included, and nothing is stored again', async () => {
      const key = newKey();
      const messages = [...listSends(150), { to: 'nobody', body: 'x' }, ...keyed(2)];
      const first = await sendBatch({ messages }, { key });
      const before = await countMessages();
      const again = await sendBatch({ messages }, { key, api: 1 });
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await countMessages()).toBe(before);
    });

    test('a key that was used for another batch or a single send is refused and stores nothing', async () => {
      const key = newKey();
      const messages = [...listSends(2), { to: 'nobody', body: 'x' }];
      resultsOf(await sendBatch({ messages }, { key }));
      const before = await countMessages();
      const others = [
        messages.slice(1),
        messages.toReversed(),
        listSends(3),
        [...messages, messages[0]],
      ];
      for (const other of others) {
        expectRefusal(await sendBatch({ messages: other }, { key }), 400, 'idempotency_key_reused');
      }
      const single = {
        token: workspace.apiKey,
        json: listSends(1)[0],
        headers: { 'idempotency-key': key },
      };
      expectRefusal(await ask(service.url, '/api/messages', single), 400, 'idempotency_key_reused');
      expect(await countMessages()).toBe(before);
      const other = await service.addWorkspace();
      expect(
        outcomesOf(await sendBatch({ messages: listSends(1) }, { key, token: other.apiKey })),
      ).toEqual(['stored']);
    });

    test('eight equal batches at the same time on two processes are stored once and get one response', async () => {
      const key = newKey();
      const before = await countMessages();
      const json = { to: listSends(300).map(({ to }) => to), body: 'For all' };
      const responses = await sendEach(numbersTo(8), (n) => sendBatch(json, { key, api: n % 2 }), {
        status: 201,
        atOnce: 8,
      });
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      const replayed = responses.filter(({ headers }) => headers.has('idempotent-replayed'));
      expect(replayed).toHaveLength(7);
      expect(await countMessages()).toBe(before + 300);
    });

    test('a batch that is refused as a whole does not use up its key', async () => {
      const key = newKey();
      expectRefusal(await sendBatch({ messages: [] }, { key }), 400, 'invalid_params');
      expect(outcomesOf(await sendBatch({ messages: listSends(1) }, { key }))).toEqual(['stored']);
    });
  });
}
