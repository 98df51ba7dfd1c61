import { describe, expect, test } from 'vitest';
import { type ApiResponse, ask, expectRefusal } from '../start-service.ts';
import { TO, read, send, service, workspace } from './environment.ts';

/** Sixteen pairs, whose names and values have `bytes` bytes together. */
function pairsOf(bytes: number): Record<string, string> {
  const pairs = Array.from({ length: 16 }, (_, n) => [`k${n.toString(16)}`, 'é']);
  pairs[15] = ['kf', 'x'.repeat(bytes - 15 * 4 - 2)];
  return Object.fromEntries(pairs) as Record<string, string>;
}

const idsOf = ({ json }: ApiResponse): string[] =>
  ((json?.['results'] ?? []) as { id: string }[]).map(({ id }) => id);

export function describeReferences(): void {
  describe('references and metadata', () => {
    test('a message keeps its reference and its metadata, whose names stay in order unless they are whole numbers, and the history finds it by the whole reference', async () => {
      const metadata = { zeta: 'last, “first”', a: '', Ünï: '✓', constructor: 'x' };
      const reference = ' Order 7, part 2 ';
      const sent = await send({ to: TO, body: 'x', reference, metadata });
      await send({ to: TO, body: 'x', reference: 'Order 7' });
      const message = await read(sent.json?.['id']);
      expect(message).toMatchObject({ reference, metadata });
      expect(Object.keys(message['metadata'] as object)).toEqual(Object.keys(metadata));
      const found = await ask(
        service.url,
        `/api/messages?${new URLSearchParams({ reference }).toString()}`,
        { token: workspace.apiKey },
      );
      const messages = found.json?.['messages'] as Record<string, unknown>[];
      expect(messages.map(({ id }) => id)).toEqual([sent.json?.['id']]);
      expect(messages[0]).toMatchObject({ reference, metadata });
    });

    test('the filter by reference also applies together with other filters', async () => {
      const own = await service.addWorkspace();
      const ids = async (filter: object): Promise<unknown[]> => {
        const query = new URLSearchParams({ reference: 'campaign', ...filter }).toString();
        const found = await ask(service.url, `/api/messages?${query}`, { token: own.apiKey });
        const messages = (found.json?.['messages'] ?? []) as { id: string }[];
        return messages.map(({ id }) => id);
      };
      const sent = await ask(service.url, '/api/messages/batch', {
        token: own.apiKey,
        json: {
          messages: [
            { to: TO, body: 'x', reference: 'campaign' },
            { to: '+15551230002', body: 'x', reference: 'campaign' },
            { to: TO, body: 'x', reference: 'other' },
          ],
        },
      });
      const [first, second] = idsOf(sent);
      expect(await ids({})).toEqual([second, first]);
      expect(await ids({ to: TO })).toEqual([first]);
      expect(await ids({ to: TO, direction: 'outbound' })).toEqual([first]);
      expect(await ids({ to: TO, direction: 'inbound' })).toEqual([]);
      expect(await ids({ error_code: '30007' })).toEqual([]);
      await service.sql(`UPDATE message_progress SET error_code = '30007' WHERE id = ANY($1)`, [
        [first],
      ]);
      expect(await ids({ error_code: '30007' })).toEqual([first]);
    });

    test('no workspace finds the messages of another one by their reference', async () => {
      const other = await service.addWorkspace();
      const reference = 'shared-reference';
      await send({ to: TO, body: 'x', reference });
      const found = await ask(service.url, `/api/messages?reference=${reference}`, {
        token: other.apiKey,
      });
      expect(found.json).toMatchObject({ messages: [], pagination: { totalMessages: 0 } });
    });

    test('a message in the same batch as one with a reference has none', async () => {
      const messages = [
        { to: TO, body: 'x', reference: 'one' },
        { to: TO, body: 'x' },
        { to: TO, body: 'x', metadata: { two: '2' } },
        { to: TO, body: 'x', reference: null, metadata: null },
      ];
      const sent = await ask(service.url, '/api/messages/batch', {
        token: workspace.apiKey,
        json: { messages },
      });
      const ids = idsOf(sent);
      const stored = await Promise.all(ids.map((id) => read(id)));
      expect(stored.map(({ reference, metadata }) => [reference, metadata])).toEqual([
        ['one', {}],
        [null, {}],
        [null, { two: '2' }],
        [null, {}],
      ]);
    });

    test('every message of one text for many has the reference and the metadata', async () => {
      const labels = { reference: 'campaign-9', metadata: { wave: '1' } };
      const sent = await ask(service.url, '/api/messages/batch', {
        token: workspace.apiKey,
        json: { to: [TO, '+15551230002'], body: 'x', ...labels },
      });
      expect(idsOf(sent)).toHaveLength(2);
      for (const id of idsOf(sent)) expect(await read(id)).toMatchObject(labels);
    });

    test('a retry whose metadata has another order gets the same message, and one with other metadata is refused', async () => {
      const headers = { 'idempotency-key': 'metadata in another order' };
      const first = await send({ to: TO, body: 'x', metadata: { a: '1', b: '2' } }, headers);
      const again = await send({ to: TO, body: 'x', metadata: { b: '2', a: '1' } }, headers);
      expect([again.status, again.json]).toEqual([201, first.json]);
      const none = { 'idempotency-key': 'no metadata' };
      const without = await send({ to: TO, body: 'x' }, none);
      const empty = await send({ to: TO, body: 'x', metadata: {} }, none);
      expect([empty.status, empty.json]).toEqual([201, without.json]);
      for (const metadata of [{ a: '2', b: '1' }, { a: '1' }, undefined]) {
        const refused = await send({ to: TO, body: 'x', metadata }, headers);
        expectRefusal(refused, 400, 'idempotency_key_reused');
      }
    });

    test.each([
      ['200 characters', { reference: 'é'.repeat(200) }],
      ['16 pairs with 2,048 bytes', { metadata: pairsOf(2_048) }],
      ['an empty object', { metadata: {} }],
    ])('a send with a reference or metadata of %s is accepted', async (_, labels) => {
      const sent = await send({ to: TO, body: 'x', ...labels });
      expect(sent.status).toBe(201);
      expect(await read(sent.json?.['id'])).toMatchObject(labels);
    });

    test.each([
      ['201 characters', { reference: 'x'.repeat(201) }, /^`reference` must have 1 to 200/],
      ['an empty reference', { reference: '' }, /^`reference` must have 1 to 200/],
      ['a number', { reference: 7 }, /^`reference` must be a string/],
      ['a NUL', { reference: '\0' }, /^`reference` must not contain NUL/],
      ['a lone surrogate', { reference: '\ud800' }, /^`reference` must not contain NUL or lone/],
      ['a list', { metadata: ['a'] }, /^`metadata` must be an object of strings/],
      ['a text', { metadata: 'a' }, /^`metadata` must be an object of strings/],
      ['a number as a value', { metadata: { a: 1 } }, /^`metadata` must be an object of strings/],
      ['a null as a value', { metadata: { a: null } }, /^`metadata` must be an object of strings/],
      ['an object as a value', { metadata: { a: {} } }, /^`metadata` must be an object of strings/],
      ['an empty name', { metadata: { '': 'x' } }, /^`metadata` must not have an empty name/],
      ['a NUL in a value', { metadata: { a: '\0' } }, /^`metadata` must not contain NUL/],
      ['a surrogate in a name', { metadata: { '\udc00': '' } }, /^`metadata` must not contain NUL/],
      [
        '17 pairs',
        { metadata: { ...pairsOf(100), more: '' } },
        /^`metadata` must have at most 16 pairs/,
      ],
      ['2,049 bytes', { metadata: pairsOf(2_049) }, /^`metadata` must have at most 2048 bytes/],
    ])('a send with a reference or metadata of %s is refused', async (_, labels, detail) => {
      expectRefusal(await send({ to: TO, body: 'x', ...labels }), 400, 'invalid_params', detail);
    });

    test('a name that JavaScript reserves is refused, so that no pair is lost', async () => {
      const response = await ask(service.url, '/api/messages', {
        token: workspace.apiKey,
        headers: { 'content-type': 'application/json' },
        raw: `{"to":"${TO}","body":"x","metadata":{"__proto__":"x"}}`,
      });
      expectRefusal(
        response,
        400,
        'invalid_params',
        /^`metadata` must not have the name __proto__/,
      );
    });
  });
}
