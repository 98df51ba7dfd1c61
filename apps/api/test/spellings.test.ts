import { listEndpoints } from '@switchboard/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, shareService } from './start-service.ts';

let service: Service;
beforeAll(async () => {
  service = await shareService();
});
afterAll(async () => {
  await service.close();
});

const HEADERS = ['content-type', 'x-content-type-options', 'cache-control'];
const ID = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';

const OTHERS = ['/', '/icon.svg', '/w/x/messages', '/assets/none.js', '/api/none', '/openapi/none'];
const REQUESTS = [
  ...listEndpoints().map(({ route, path }) => ({ method: route.method, path })),
  ...OTHERS.map((path) => ({ method: 'GET', path })),
].map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, ID) }));

/** Encodes the first letter of each part of a path, as RFC 3986 permits. */
const encode = (path: string): string =>
  path.replaceAll(/\/(\w)/g, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`);

async function read(method: string, path: string) {
  const response = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const headers = HEADERS.map((name) => `${name}: ${response.headers.get(name)}`);
  return { status: response.status, headers, isPage: text.includes('<div id="root">') };
}

describe('spellings of a path', () => {
  test('every route answers an encoded spelling of its path with the same status and headers, nosniff among them', async () => {
    expect(REQUESTS.length).toBeGreaterThan(100);
    for (const { method, path } of REQUESTS) {
      const plain = await read(method, path);
      expect({ path, encoded: await read(method, encode(path)) }).toEqual({ path, encoded: plain });
      expect([path, ...plain.headers]).toContain('x-content-type-options: nosniff');
      expect([path, ...plain.headers]).not.toContain('cache-control: null');
      if (path.startsWith('/api')) expect(plain.headers).toContain('cache-control: no-store');
    }
  });

  test.each([
    '/%61pi/none',
    '/%41PI/none',
    '/api%2Fmessages',
    '//%61pi/messages',
    '/%6fpenapi/none',
  ])(
    'an unknown path of the API is 404 in JSON and not the page of the dashboard: %s',
    async (path) => {
      const { status, headers, isPage } = await read('GET', path);
      expect([status, isPage]).toEqual([404, false]);
      expect(headers).toContain('content-type: application/json; charset=utf-8');
    },
  );
});
