import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { service, workspace, uuid } from './environment.ts';

export function describePaths(): void {
  describe('unknown routes', () => {
    const paths = [
      '/api',
      '/api/',
      '/api/nope',
      '/api/messages/',
      '/api/v1/messages',
      '/api/Messages',
      '/api/messages/x/y/z',
      '/api/ui',
      '/api/ui/workspaces/',
      '/api/webhooks/twilio',
      '/api/messages;x=1',
      '/api//messages',
      '/api/..%2fetc/passwd',
    ];

    test.each(paths)(
      'the unknown route %s is answered with 404 for any method, body and content type, and without a credential',
      async (path) => {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          const response = await ask(service.url, path, { method });
          expect([method, response.status]).toEqual([method, 404]);
          expectRefusal(response, 404, 'not_found');
        }
        const bodies = [
          ['application/json', '{'],
          ['text/plain', 'hello'],
          ['application/json', 'a'.repeat(70_000)],
        ] as const;
        for (const [type, raw] of bodies) {
          const response = await ask(service.url, path, { raw, headers: { 'content-type': type } });
          expectRefusal(response, 404, 'not_found');
        }
      },
    );

    test.each([
      'PUT',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'TRACE',
      'REPORT',
      'LOCK',
      'MKCOL',
      'SEARCH',
      'PURGE',
      'QUERY',
      'BREW',
      'SUBSCRIBE',
      'M-SEARCH',
    ])('the unsupported method %s is answered with 404, not 405', async (method) => {
      for (const path of ['/api/messages', '/api/workspace', '/api/ui/me/email', '/health/live']) {
        const { status, headers, body } = await askRaw(method, path);
        expect([path, status]).toEqual([path, 404]);
        expect(JSON.parse(body)).toEqual({ error: 'not_found', detail: expect.any(String) });
        expect(headers['x-request-id']).toBeTruthy();
      }
    });

    test('HEAD responds like GET, without a body', async () => {
      const head = await ask(service.url, '/api/workspace', {
        method: 'HEAD',
        token: workspace.apiKey,
      });
      expect([head.status, head.text]).toEqual([200, '']);
      const refused = await ask(service.url, '/api/workspace', { method: 'HEAD' });
      expect([refused.status, refused.text]).toEqual([401, '']);
    });
  });

  describe('paths and queries', () => {
    test('a path with invalid percent-encoding is refused with a documented error', async () => {
      for (const path of [
        '/api/messages/%',
        '/api/messages/%zz',
        '/api/messages/%ff%fe',
        '/api/%',
        '/%E0%A4%A',
        '/api/messages/%c0%af',
        '/api/messages/%ed%a0%80',
      ]) {
        const response = await ask(service.url, path, { token: workspace.apiKey });
        expect([path, [400, 404].includes(response.status)]).toEqual([path, true]);
        expectRefusal(
          response,
          response.status,
          response.status === 400 ? 'invalid_params' : 'not_found',
        );
      }
    });

    test.each([
      '%00',
      'SM%00',
      "'%20OR%201=1--",
      '%2e%2e%2f',
      '%F0%9F%98%80',
      '%0d%0aSet-Cookie:x',
      'null',
      'undefined',
      '-1',
      '0',
      uuid.replaceAll('-', ''),
      `{${uuid}}`,
      uuid.toUpperCase(),
    ])('the unknown or invalid message id %s is answered with 404', async (id) => {
      for (const [method, path] of [
        ['GET', `/api/messages/${id}`],
        ['POST', `/api/messages/${id}/cancel`],
      ] as const) {
        expectRefusal(
          await ask(service.url, path, { method, token: workspace.apiKey }),
          404,
          'not_found',
        );
      }
      const ui = `/api/ui/workspaces/${workspace.workspaceId}/messages/${id}`;
      expectRefusal(
        await ask(service.url, ui, { token: workspace.sessionToken }),
        404,
        'not_found',
      );
      const other = `/api/ui/workspaces/${id}`;
      expectRefusal(
        await ask(service.url, other, { token: workspace.sessionToken }),
        404,
        'not_found',
      );
    });

    test('a very long path parameter is answered with 404', async () => {
      for (const length of [101, 5_000, 12_000]) {
        const id = 'a'.repeat(length);
        expectRefusal(
          await ask(service.url, `/api/messages/${id}`, { token: workspace.apiKey }),
          404,
          'not_found',
        );
        expectRefusal(
          await ask(service.url, `/api/ui/workspaces/${id}`, { token: workspace.sessionToken }),
          404,
          'not_found',
        );
      }
    });

    test('a query with invalid encoding is read literally or refused with an error that names the parameter', async () => {
      for (const query of [
        'to=%',
        'to=%zz',
        'to=%ff',
        'to=%ed%a0%80',
        '&&&=&=x',
        '__proto__=1',
        'constructor=1&toString=2',
        'unknown=1&unknown=2',
      ]) {
        const { status } = await ask(service.url, `/api/messages?${query}`, {
          token: workspace.apiKey,
        });
        expect([query, [200, 400].includes(status)]).toEqual([query, true]);
      }
      const nul = await ask(service.url, '/api/messages?to=%00', { token: workspace.apiKey });
      expectRefusal(nul, 400, 'invalid_params', /`to`/);
    });
  });

  /** Sends methods that `fetch` refuses. */
  function askRaw(method: string, path: string) {
    return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
      (resolve, reject) => {
        const request = httpRequest(service.url + path, { method, agent: false }, (response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => (body += chunk.toString()));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          );
        });
        request.on('error', reject);
        request.end();
      },
    );
  }
}
