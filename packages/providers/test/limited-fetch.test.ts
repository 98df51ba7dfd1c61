import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listen } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createLimitedFetch } from '../src/index.ts';

const MAX_BYTES = 1_000_000;

test('a compressed response counts as it is decompressed, and is refused beyond the limit', async () => {
  const bodies: Record<string, Buffer> = {
    '/largest': gzipSync(Buffer.alloc(MAX_BYTES, 'a')),
    '/larger': gzipSync(Buffer.alloc(MAX_BYTES + 1, 'a')),
    '/bomb': gzipSync(Buffer.alloc(80 * MAX_BYTES)),
  };
  const server = await listen(
    createServer(({ url = '' }, response) => {
      response.writeHead(201, { 'content-encoding': 'gzip', 'x-name': 'a' }).end(bodies[url]);
    }),
  );
  onTestFinished(() => server.close());
  const { fetch, close } = createLimitedFetch({
    timeoutMs: 60_000,
    maxBytes: MAX_BYTES,
    proxy: null,
  });
  onTestFinished(close);

  const largest = await fetch(`${server.url}/largest`, {});
  expect([largest.status, largest.headers.get('x-name')]).toEqual([201, 'a']);
  expect(await largest.text()).toBe('a'.repeat(MAX_BYTES));
  expect(bodies['/bomb']?.length).toBeLessThan(MAX_BYTES);
  for (const path of ['/larger', '/bomb']) {
    await expect(fetch(`${server.url}${path}`, {})).rejects.toThrow(
      'The response is longer than 1000000 bytes',
    );
  }
});
