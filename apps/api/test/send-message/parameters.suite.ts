import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { TO, service, workspace, send, read, countMessages } from './environment.ts';

export function describeParameters(): void {
  describe('sends with missing parameters', () => {
    test.each([
      ['no parameters', {}, /`to`, `body`/],
      ['no to', { body: 'x' }, /`to`/],
      ['no body', { to: TO }, /`body`/],
      ['to null', { to: null, body: 'x' }, /`to`/],
      ['body null', { to: TO, body: null }, /`body`/],
      ['to empty', { to: '', body: 'x' }, /`to`/],
      ['body empty', { to: TO, body: '' }, /`body`/],
      ['body empty, no media', { to: TO, body: '', media_urls: [] }, /`body`/],
      ['to absent while body is wrong', { body: 7 }, /`to`/],
      ['body absent while to is wrong', { to: 'abc' }, /`body`/],
      ['body absent while from is wrong', { to: TO, from: 7 }, /`body`/],
      ['body absent while media is wrong', { to: TO, media_urls: 7 }, /`body`/],
      ['to absent while the body is too long', { body: 'a'.repeat(1601) }, /`to`/],
      [
        'to empty, body empty with media',
        { to: '', body: '', media_urls: ['https://a.example/'] },
        /`to`/,
      ],
      ['a list', [{ to: TO, body: 'x' }], /`to`, `body`/],
      ['an empty list', [], /`to`, `body`/],
      ['null', null, /`to`, `body`/],
      ['a string', 'to=+1', /`to`, `body`/],
      ['a number', 7, /`to`, `body`/],
      ['true', true, /`to`, `body`/],
    ])(
      'a send with %s is refused with missing_params before invalid parameters are checked',
      async (_name, json, detail) => {
        expectRefusal(await send(json), 400, 'missing_params', detail);
      },
    );

    test('fields of `__proto__` do not count as parameters of a send', async () => {
      const response = await ask(service.url, '/api/messages', {
        token: workspace.apiKey,
        headers: { 'content-type': 'application/json' },
        raw: `{"__proto__":{"to":"${TO}","body":"x"}}`,
      });
      expectRefusal(response, 400, 'missing_params', /`to`, `body`/);
    });
  });

  describe('sends with invalid parameters', () => {
    test.each([
      ['a number', 15551230001],
      ['a list', [TO]],
      ['an object', { number: TO }],
      ['true', true],
      ['no plus', '15551230001'],
      ['a zero first', '+05551230001'],
      ['6 digits', '+123456'],
      ['16 digits', '+1234567890123456'],
      ['spaces', '+1 555 123 0001'],
      ['hyphens', '+1-555-123-0001'],
      ['a space around', ` ${TO}`],
      ['a line break after', `${TO}\n`],
      ['letters', '+1555CALLNOW'],
      ['other digits', '+١٥٥٥١٢٣٤٥٦٧'],
      ['a wide plus', '＋15551230001'],
      ['two numbers', `${TO},${TO}`],
      ['a NUL', `${TO}\0`],
      ['a lone surrogate', '+1555\ud800'],
      ['60,000 digits', `+${'1'.repeat(60_000)}`],
    ])(
      'a send with an invalid `to` (%s) is refused with an error that names it and stores nothing',
      async (_name, to) => {
        const before = await countMessages();
        expectRefusal(await send({ to, body: 'x' }), 400, 'invalid_params', /^`to`/);
        expectRefusal(
          await send({ to: TO, body: 'x', from: to }),
          400,
          'invalid_params',
          /^`from`/,
        );
        expect(await countMessages()).toBe(before);
      },
    );

    test('a send with an empty `from` is refused with invalid_params, and null counts as absent', async () => {
      expectRefusal(await send({ to: TO, body: 'x', from: '' }), 400, 'invalid_params', /^`from`/);
      const nothing = { from: null, media_urls: [], scheduled_at: null };
      expect((await send({ to: TO, body: 'x', ...nothing })).status).toBe(201);
    });

    test.each([
      ['a number', 7],
      ['zero', 0],
      ['false', false],
      ['a list', ['x']],
      ['an object', { text: 'x' }],
      ['1,601 characters', 'a'.repeat(1601)],
      ['801 emoji', '😀'.repeat(801)],
      ['a NUL', 'a\0b'],
      ['a lone high surrogate', 'a\ud800b'],
      ['a lone low surrogate', '\udc00'],
      ['surrogates in the wrong order', '\udc00\ud800'],
    ])(
      'a send with an invalid `body` (%s) is refused with an error that names it and stores nothing',
      async (_name, body) => {
        const before = await countMessages();
        expectRefusal(await send({ to: TO, body }), 400, 'invalid_params', /^`body`/);
        expect(await countMessages()).toBe(before);
      },
    );

    test('numbers of 7 to 15 digits are accepted', async () => {
      for (const to of ['+1234567', '+123456789012345']) {
        const { json, status } = await send({ to, body: 'x' });
        expect(status).toBe(201);
        expect((await read(json?.['id']))['to']).toBe(to);
      }
    });
  });
}
