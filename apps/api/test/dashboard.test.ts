import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, shareService } from './start-service.ts';

let service: Service;
beforeAll(async () => {
  service = await shareService();
});
afterAll(async () => {
  await service.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  ask(service.url, path, { headers });

describe('dashboard', () => {
  test.each(['/', '/sign-in', '/w/x/messages?status=sent', '/w/x/messages/y', '/nothing/of/ours'])(
    "the dashboard's page is served at %s and must be revalidated by caches",
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.text).toContain('<div id="root">');
      expect(response.headers.get('cache-control')).toBe('no-cache');
    },
  );

  test('the dashboard allows only scripts and styles from its own files', async () => {
    const { headers, text } = await get('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<style|style=|<script>| on\w+=/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('files with a content hash in their name are cacheable forever and served compressed', async () => {
    const { text } = await get('/');
    const [asset = ''] = /\/assets\/index-[\w-]+\.js/.exec(text) ?? [];
    for (const [accept, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await get(asset, { 'accept-encoding': accept });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    }
  });

  test.each([
    '/api',
    '/api/nothing',
    '//api/messages',
    '/API/messages',
    '/api/ui/nothing',
    '/health/nothing',
    '/metrics/nothing',
    '/docs/nothing',
    '/openapi.json/nothing',
    '/assets/index-none.js',
    '/assets/..%2f..%2fpackage.json',
  ])('%s is not a view of the dashboard and is answered with 404 in JSON', async (path) => {
    expectRefusal(await get(path), 404, 'not_found');
  });

  test.each(['POST', 'PUT', 'DELETE'])(
    'the method %s on a view of the dashboard is answered with 404 in JSON',
    async (method) => {
      expectRefusal(await ask(service.url, '/sign-in', { method }), 404, 'not_found');
    },
  );
});
