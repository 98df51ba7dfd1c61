import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import {
  MEBIBYTE,
  PATH,
  TO,
  countMessages,
  gzipOf,
  listSends,
  outcomesOf,
  sendBatch,
  sendGzip,
  sendRawBatch,
  service,
  workspace,
} from './environment.ts';

/** Returns a batch of one send whose body has this many bytes. */
function batchOf(bytes: number): string {
  const frame = JSON.stringify({ messages: [{ to: TO, body: 'x' }], pad: '' }).length;
  return JSON.stringify({ messages: [{ to: TO, body: 'x' }], pad: 'a'.repeat(bytes - frame) });
}

export function describeBatchBodies(): void {
  describe('bodies of batches', () => {
    test('a batch has 1 to 1,000 sends in either form', async () => {
      const before = await countMessages();
      const recipients = listSends(1_001).map(({ to }) => to);
      for (const count of [0, 1_001]) {
        const messages = await sendBatch({ messages: listSends(count) });
        expectRefusal(messages, 400, 'invalid_params', '`messages` must have 1 to 1000 entries');
        const to = await sendBatch({ to: recipients.slice(0, count), body: 'x' });
        expectRefusal(to, 400, 'invalid_params', '`to` must have 1 to 1000 entries');
      }
      expect(await countMessages()).toBe(before);
      const outcomes = outcomesOf(await sendBatch({ messages: listSends(1_000) }));
      expect(outcomes).toEqual(Array.from({ length: 1_000 }, () => 'stored'));
      expect(await countMessages()).toBe(before + 1_000);
    });

    test.each([
      ['neither list', { body: 'x' }, 'missing_params', /`messages`, or `to`$/],
      ['null as both lists', { messages: null, to: null }, 'missing_params', /`messages`/],
      [
        'both lists',
        { messages: listSends(1), to: [TO], body: 'x' },
        'invalid_params',
        /^`to` must be absent/,
      ],
      [
        'a field beside the sends, which would go without it',
        { messages: listSends(1), from: TO },
        'invalid_params',
        /^`from` must be absent if there are `messages`/,
      ],
      [
        'a key beside the sends',
        { messages: listSends(1), idempotency_key: 'k' },
        'invalid_params',
        /^`idempotency_key` must be absent/,
      ],
      [
        'an object as its list',
        { messages: { 0: {} } },
        'invalid_params',
        /^`messages` must be a list/,
      ],
      ['one number as its list', { to: TO, body: 'x' }, 'invalid_params', /^`to` must be a list/],
    ])(
      'a batch with %s is refused with an error that names the parameter',
      async (_name, json, error, detail) => {
        expectRefusal(await sendBatch(json), 400, error, detail);
      },
    );

    test('a body has at most 2 MiB, including after decompression', async () => {
      const [full, tooLong] = [batchOf(2 * MEBIBYTE), batchOf(2 * MEBIBYTE + 1)];
      expect(outcomesOf(await sendRawBatch(full))).toEqual(['stored']);
      expect(outcomesOf(await sendGzip(gzipSync(full)))).toEqual(['stored']);
      const before = await countMessages();
      for (const response of [await sendRawBatch(tooLong), await sendGzip(gzipSync(tooLong))]) {
        expectRefusal(response, 400, 'invalid_params', 'The request body must have at most 2 MiB');
      }
      expect(await countMessages()).toBe(before);
    });

    test('a compressed body may come in several members, and under the older name of the coding', async () => {
      const json = JSON.stringify({ messages: listSends(3) });
      const members = Buffer.concat([gzipSync(json.slice(0, 30)), gzipSync(json.slice(30))]);
      const stored = ['stored', 'stored', 'stored'];
      expect(outcomesOf(await sendGzip(members))).toEqual(stored);
      expect(outcomesOf(await sendGzip(gzipSync(json), 'X-GZIP'))).toEqual(stored);
      expect(outcomesOf(await sendRawBatch(json, { 'content-encoding': 'identity' }))).toEqual(
        stored,
      );
    });

    test('a gzip bomb is refused after 2 MiB, and the connections of others are served', async () => {
      const bomb = gzipSync(Buffer.alloc(256 * MEBIBYTE, ' '), { level: 9 });
      expect(bomb.length).toBeLessThan(MEBIBYTE);
      const bombs = await Promise.all(Array.from({ length: 5 }, () => sendGzip(bomb)));
      for (const response of bombs) expectRefusal(response, 400, 'invalid_params', /at most 2 MiB/);
      expect(outcomesOf(await sendGzip(gzipOf({ messages: listSends(1) })))).toEqual(['stored']);
    });

    test('more than 2 MiB of compressed bytes are refused, even if nothing is decompressed from them', async () => {
      const empty = gzipSync('');
      const members = Buffer.concat(Array.from({ length: 110_000 }, () => empty));
      expect(members.length).toBeGreaterThan(2 * MEBIBYTE);
      const chunked = new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(members));
          controller.close();
        },
      });
      const response = await fetch(service.url + PATH, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${workspace.apiKey}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: chunked,
        duplex: 'half',
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        detail: expect.stringMatching(/at most 2 MiB/),
      });
    });

    const good = gzipOf({ messages: listSends(100) });
    test.each([
      ['cut short', good.subarray(0, good.length - 20)],
      ['only a header', good.subarray(0, 10)],
      ['with a wrong checksum', Buffer.concat([good.subarray(0, -8), Buffer.alloc(8, 1)])],
      [
        'changed in the middle',
        Buffer.from(good.map((byte, at) => (at === 40 ? byte ^ 0xff : byte))),
      ],
      ['not compressed', Buffer.from(JSON.stringify({ messages: listSends(1) }))],
      ['zlib without gzip', deflateSync('{}')],
    ])(
      'a compressed body that is %s is refused with an error that names gzip',
      async (_name, raw) => {
        const before = await countMessages();
        expectRefusal(await sendGzip(raw), 400, 'invalid_params', /gzip/);
        expect(await countMessages()).toBe(before);
      },
    );

    test.each(['br', 'deflate', 'gzip, gzip', 'zstd'])(
      'a body with Content-Encoding %s is refused with an error that names the header',
      async (coding) => {
        expectRefusal(await sendGzip(good, coding), 400, 'invalid_params', /^`Content-Encoding`/);
      },
    );

    test('a body that would hold the event loop while it is parsed is refused', async () => {
      const values = JSON.stringify({
        messages: listSends(1),
        pad: Array.from({ length: 41_000 }, () => 0),
      });
      const deep = `{"messages":${JSON.stringify(listSends(1))},"pad":"${'a'.repeat(70_000)}","deep":${'['.repeat(40)}${']'.repeat(40)}}`;
      for (const raw of [values, deep]) {
        expectRefusal(
          await sendRawBatch(raw),
          400,
          'invalid_params',
          /at most 40000 values, nested 32 deep/,
        );
      }
      const many = await sendBatch({
        messages: [{ to: TO, body: 'x', more: Array.from({ length: 1_001 }, () => 0) }],
      });
      expect(outcomesOf(many)).toEqual(['invalid_params']);
    });
  });
}
