import { gzipSync } from 'node:zlib';
import { type Route, routes } from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import {
  service,
  workspace,
  SEND,
  RENAME,
  WITH_CREDENTIAL,
  WITH_BODY,
  findEndpoint,
  pathOf,
  tokenFor,
  callRoute,
} from './environment.ts';

/** The routes, by summary, whose fields all have defaults: an empty body counts as `{}`. */
const BODY_IS_OPTIONAL = new Set([
  'Replace the secret of a webhook endpoint',
  'Replace the secret of an API key',
  'Begin to set up a second factor',
  'Close your account',
]);

export function describeBodies(): void {
  describe('request bodies', () => {
    const deep = '['.repeat(30_000);
    const notJson: [string, string | Uint8Array<ArrayBuffer>][] = [
      ['cut short', '{"to":"+15551230001","body":'],
      ['a word', 'hello'],
      ['single quotes', "{'to':'x'}"],
      ['a comment', '{} // x'],
      ['a trailing comma', '{"to":"x",}'],
      ['two values', '{} {}'],
      ['NaN', '{"to":NaN}'],
      ['a raw line break in a string', '{"to":"a\nb"}'],
      ['a raw NUL', '{"to":"a\0b"}'],
      ['a bad escape', '{"to":"\\x41"}'],
      ['30,000 unclosed arrays', deep],
      ['10,000 unclosed objects', '{"a":'.repeat(10_000)],
      ['bad UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['an overlong encoding', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
      ['a surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
      ['UTF-16', new Uint8Array(Buffer.from('{"to":"x"}', 'utf16le'))],
      ['only whitespace', '  \n '],
      ['a form', 'to=%2B15551230001&body=x'],
    ];
    test.each(WITH_BODY)(
      'a body of $key that is not JSON is refused with invalid_params',
      async (endpoint) => {
        for (const [what, raw] of notJson) {
          const response = await callRoute(endpoint, { raw });
          expect([what, response.status, response.json?.['error']]).toEqual([
            what,
            400,
            'invalid_params',
          ]);
          expectRefusal(response, 400, 'invalid_params', /JSON/);
        }
      },
    );

    test('a compressed body is refused with an error that names the Content-Encoding header', async () => {
      const response = await callRoute(SEND, {
        raw: new Uint8Array(gzipSync('{"to":"+15551230001","body":"x"}')),
        headers: { 'content-encoding': 'gzip' },
      });
      expectRefusal(response, 400, 'invalid_params', /`Content-Encoding`/);
    });

    test.each(WITH_BODY)(
      'a body of $key that is missing or not an object is refused with an error that says so',
      async (endpoint) => {
        const { route } = endpoint;
        const isRename = route.errors?.invalid_name !== undefined;
        const expected = isRename ? 'invalid_name' : 'missing_params';
        const closed = `${deep}${']'.repeat(30_000)}`;
        const noObjects = ['', 'null', '[]', '[{}]', '"x"', '7', 'true', closed];
        const empty = ['{}', '{"__proto__":{"name":"x"}}', '{"constructor":1}'];
        // A change without fields changes nothing.
        const fields = Object.values<Pick<NonNullable<Route['body']>, 'safeParse'>>(
          route.body?.shape ?? {},
        );
        const needsFields = fields.some((field) => !field.safeParse(undefined).success);
        const wrong = BODY_IS_OPTIONAL.has(route.summary) ? noObjects.slice(2) : noObjects;
        for (const raw of [...wrong, ...(needsFields ? empty : [])]) {
          const response = await callRoute(endpoint, { raw });
          expect([raw.slice(0, 20), response.json?.['error']]).toEqual([
            raw.slice(0, 20),
            expected,
          ]);
          expectRefusal(response, 400, expected);
        }
        if (BODY_IS_OPTIONAL.has(route.summary)) return;
        const none = await ask(service.url, pathOf(endpoint), {
          method: route.method,
          ...tokenFor(endpoint),
        });
        expectRefusal(none, 400, expected);
      },
    );

    test.each(WITH_BODY.filter(({ route }) => route.bodyMaxMebibytes === undefined))(
      'a body of $key over 64 KiB is refused with invalid_params',
      async (endpoint) => {
        const big = JSON.stringify({ more: 'a'.repeat(65_536) });
        expectRefusal(await callRoute(endpoint, { raw: big }), 400, 'invalid_params', /64 KiB/);
        expectRefusal(
          await callRoute(endpoint, { raw: '['.repeat(100_000) }),
          400,
          'invalid_params',
          /64 KiB/,
        );
      },
    );

    test.each(WITH_BODY)(
      'a body of $key in another content type is refused with invalid_params',
      async (endpoint) => {
        const raw = '{}';
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/jsonp',
          'application/json+x',
          'text/json',
          'json',
          ';',
          'application/',
          'a/b; q="',
        ]) {
          const response = await callRoute(endpoint, { raw, headers: { 'content-type': type } });
          expect([type, response.status, response.json?.['error']]).toEqual([
            type,
            400,
            'invalid_params',
          ]);
          expectRefusal(response, 400, 'invalid_params', /Content-Type|content type/);
        }
      },
    );

    test('the content type of a body is case-insensitive and may have parameters', async () => {
      for (const type of [
        'application/json; charset=utf-8',
        'application/json;charset=UTF-8',
        'Application/JSON',
        'application/json ; x=y',
      ]) {
        const response = await callRoute(RENAME, {
          raw: '{"name":"Test workspace"}',
          headers: { 'content-type': type },
        });
        expect([type, response.status]).toEqual([type, 200]);
      }
    });

    test('a body of exactly 64 KiB is accepted', async () => {
      const frame = JSON.stringify({ name: 'Test workspace', pad: '' }).length;
      const raw = JSON.stringify({ name: 'Test workspace', pad: 'a'.repeat(65_536 - frame) });
      expect((await callRoute(RENAME, { raw })).status).toBe(200);
    });

    test('if a JSON body has duplicate names, the last one counts', async () => {
      const response = await callRoute(RENAME, {
        raw: '{"name":"a","name":"Last"}',
      });
      expect(response.status).toBe(200);
      const { json } = await ask(service.url, '/api/workspace', { token: workspace.apiKey });
      expect(json?.['name']).toBe('Last');
    });

    test('a parameter with an escaped NUL or a lone surrogate is refused with an error that names it', async () => {
      for (const escape of ['\\ud800', '\\udfff', '\\u0000']) {
        const to = await callRoute(SEND, { raw: `{"to":"+1555${escape}","body":"x"}` });
        expectRefusal(to, 400, 'invalid_params', /`to`/);
        const body = await callRoute(SEND, { raw: `{"to":"+15551230001","body":"${escape}"}` });
        expectRefusal(body, 400, 'invalid_params', /`body`/);
        expectRefusal(
          await callRoute(RENAME, { raw: `{"name":"${escape}"}` }),
          400,
          'invalid_name',
          /`name`/,
        );
        const email = await callRoute(findEndpoint('POST /api/ui/sessions'), {
          raw: `{"email":"${escape}","password":"x"}`,
        });
        expectRefusal(email, 400, 'invalid_params', /`email`/);
      }
    });

    const withoutBody = WITH_CREDENTIAL.filter(
      ({ route }) =>
        route.method === 'GET' ||
        (route.method === 'POST' && route.body === undefined && route.bodyType === undefined),
    );

    test.each(withoutBody)(
      '$key accepts an empty body with a JSON content type',
      async (endpoint) => {
        const response = await callRoute(endpoint);
        // The provider of the workspace has no list of numbers.
        if (endpoint.route === routes.listProviderNumbers) {
          expectRefusal(response, 400, 'invalid_state');
        } else {
          // 503: no worker runs here that could make the attempt of a test event.
          expect(response.status).toBeOneOf([200, 201, 404, 503]);
        }
      },
    );
  });
}
