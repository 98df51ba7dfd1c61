import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import { TO, send, read, countMessages } from './environment.ts';

export function describeContents(): void {
  describe('texts of messages', () => {
    const family = '👨‍👩‍👧‍👦';
    test.each([
      ['Latin', 'Grüße aus Köln, señor!', 1],
      ['emoji with joiners', `${family} ❤️‍🔥 🏴‍☠️`, 1],
      ['Arabic', 'مرحبا بالعالم', 1],
      ['Chinese', '你好，世界', 1],
      ['combining and bidirectional marks', 'e\u0301 \u202eabc\u202c \u200f', 1],
      ['line breaks and tabs', 'a\r\nb\tc\n', 1],
      ['the whole GSM extension table', '^{}\\[~]|€', 1],
      ['only whitespace', '   ', 1],
      ['HTML and quotes', '<script>"\'&amp;</script> \\u0041 %00', 1],
      ['160 GSM characters', 'a'.repeat(160), 1],
      ['161 GSM characters', 'a'.repeat(161), 2],
      ['306 GSM characters', 'a'.repeat(306), 2],
      ['307 GSM characters', 'a'.repeat(307), 3],
      ['80 extension characters', '€'.repeat(80), 1],
      ['81 extension characters', '€'.repeat(81), 2],
      // 153 septets hold 76 pairs and one more septet: a pair is never split.
      ['153 extension characters', '€'.repeat(153), 3],
      ['70 Chinese characters', '你'.repeat(70), 1],
      ['71 Chinese characters', '你'.repeat(71), 2],
      ['35 emoji', '😀'.repeat(35), 1],
      ['36 emoji', '😀'.repeat(36), 2],
      // 67 units hold 33 pairs and one more unit.
      ['67 emoji', '😀'.repeat(67), 3],
      ['one Chinese character in 160', `${'a'.repeat(159)}你`, 3],
      ['a tab, which GSM-7 lacks', `${'a'.repeat(70)}\t`, 2],
      ['a lower-case c cedilla, which GSM-7 lacks', `${'a'.repeat(70)}ç`, 2],
      ['1,600 GSM characters', 'a'.repeat(1600), 11],
      ['1,600 code units of emoji', '😀'.repeat(800), 25],
      ['1,600 Chinese characters', '字'.repeat(1600), 24],
    ])(
      'a text of %s is stored unchanged, and its segments are counted',
      async (_name, body, segments) => {
        const { json, status } = await send({ to: TO, body });
        expect(status).toBe(201);
        const message = await read(json?.['id']);
        expect(message['body']).toBe(body);
        expect(message['segments']).toBe(segments);
      },
    );
  });

  describe('media of messages', () => {
    const url = 'https://media.example.com/a%20b.jpg?x=1&y=ü';

    test('a message may have 1 to 10 media, which keep their order, and may then have an empty body', async () => {
      for (const urls of [[url], Array.from({ length: 10 }, (_, n) => `https://m.example/${n}`)]) {
        const { json, status } = await send({ to: TO, body: '', media_urls: urls });
        expect(status).toBe(201);
        const { body, media } = await read(json?.['id']);
        expect(body).toBe('');
        expect(media).toEqual(urls.map((entry) => ({ url: entry, content_type: null })));
      }
    });

    test('a message with media needs a body, which may be empty', async () => {
      for (const body of [undefined, null]) {
        expectRefusal(
          await send({ to: TO, body, media_urls: [url] }),
          400,
          'missing_params',
          /`body`/,
        );
      }
    });

    test.each([
      ['11 entries', Array.from({ length: 11 }, () => url)],
      ['a string', url],
      ['an object', { 0: url, length: 1 }],
      ['null in it', [null]],
      ['a number in it', [url, 7]],
      ['http', ['http://media.example.com/a.jpg']],
      ['ftp', ['ftp://media.example.com/a.jpg']],
      ['data', ['data:image/png;base64,AA']],
      ['file', ['file:///etc/passwd']],
      ['javascript', ['javascript:alert(1)']],
      ['credentials', ['https://user:secret@media.example.com/a.jpg']],
      ['a user name', ['https://user@media.example.com/a.jpg']],
      ['no host', ['https://']],
      ['no slashes', ['https:media.example.com/a.jpg']],
      ['one slash', ['https:/media.example.com/a.jpg']],
      ['backslashes', ['https:\\\\media.example.com\\a.jpg']],
      ['whitespace around it', [` ${url}`]],
      ['a line break within', ['https://media.exa\nmple.com/a.jpg']],
      ['a NUL within', ['https://media.example.com/\0']],
      ['a relative address', ['/a.jpg']],
      ['an empty string', ['']],
      ['2,049 characters', [`https://media.example.com/${'a'.repeat(2023)}`]],
    ])(
      'invalid media_urls (%s) are refused with an error that names them',
      async (_name, mediaUrls) => {
        const before = await countMessages();
        const response = await send({ to: TO, body: 'x', media_urls: mediaUrls });
        expectRefusal(response, 400, 'invalid_params', /`media_urls/);
        expect(await countMessages()).toBe(before);
      },
    );
  });

  describe('scheduled messages', () => {
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    const DAY = 86_400_000;

    test('a message can be scheduled up to 35 days ahead in any time zone and has the status scheduled', async () => {
      const at = new Date(Math.floor(Date.now() / 1000) * 1000 + DAY);
      const local = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 19);
      for (const given of [at.toISOString(), `${local}+05:30`, `${local}+0530`]) {
        const { json, status } = await send({ to: TO, body: 'later', scheduled_at: given });
        expect(status).toBe(201);
        expect(json).toStrictEqual({ id: json?.['id'], sid: json?.['id'], status: 'scheduled' });
        expect(await read(json?.['id'])).toMatchObject({
          status: 'scheduled',
          scheduled_at: at.toISOString(),
          events: [{ type: 'scheduled', status: 'scheduled' }],
        });
      }
      expect((await send({ to: TO, body: 'x', scheduled_at: inMs(35 * DAY - 5000) })).status).toBe(
        201,
      );
    });

    test.each([
      ['the past', () => inMs(-1000)],
      ['beyond 35 days', () => inMs(35 * DAY + 60_000)],
      ['no offset', () => inMs(DAY).slice(0, -1)],
      ['a date without a time', () => inMs(DAY).slice(0, 10)],
      ['a number', () => Date.now() + DAY],
      ['a numeral', () => String(Date.now() + DAY)],
      ['words', () => 'tomorrow'],
      ['an empty string', () => ''],
      ['a list', () => [inMs(DAY)]],
      ['the 30th of February', () => `${new Date().getUTCFullYear() + 1}-02-30T00:00:00Z`],
      ['an HTTP date', () => new Date(Date.now() + DAY).toUTCString()],
      ['a NUL at its end', () => `${inMs(DAY)}\0`],
      ['year 275760', () => '+275760-09-13T00:00:00.000Z'],
    ])(
      'an invalid scheduled_at (%s) is refused with an error that names it',
      async (_name, make) => {
        const response = await send({ to: TO, body: 'x', scheduled_at: make() });
        expectRefusal(response, 400, 'invalid_params', /`scheduled_at`/);
      },
    );
  });
}
