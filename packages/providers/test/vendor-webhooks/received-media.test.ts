import { UNREADABLE_MEDIA } from '@switchboard/core';
import { describe, expect, test } from 'vitest';
import { readInbound } from './read-webhooks.ts';

const ONE = 'https://media.example/one.png';
const TWO = 'https://media.example/two';

describe('a file without a usable URL is unreadable, and the text and the other files are kept', () => {
  test.each([
    ['null', null],
    ['absent', undefined],
    ['empty', ''],
    ['a blank', ' '],
    ['an object', { href: ONE }],
    ['a number', 42],
    ['not a URL', 'one.png'],
    ['without a host', 'https://'],
    ['with a broken host', 'https://media example/one.png'],
    ['with the scheme file', 'file:///etc/passwd'],
    ['with the scheme data', 'data:image/png;base64,AAAA'],
    ['with the scheme of an uploaded file', 'media:0192f0c1-0000-7000-8000-000000000001'],
    ['of 3,000 characters', `https://media.example/${'x'.repeat(3_000)}`],
  ])('a received file is unreadable if its URL is %s', (_name, url) => {
    const telnyx = readInbound('telnyx', {
      text: 'Look',
      media: [
        { url, content_type: 'image/jpeg' },
        { url: ONE, content_type: 'image/png' },
      ],
    });
    const vonage = readInbound('vonage', {
      message_type: 'content',
      text: 'Look',
      content: [
        { type: 'image', url },
        { type: 'image', url: ONE },
      ],
    });
    for (const { body, media } of [telnyx, vonage]) {
      expect(body).toBe('Look');
      expect(media).toEqual([
        { url: UNREADABLE_MEDIA, content_type: 'image/jpeg' },
        { url: ONE, content_type: 'image/png' },
      ]);
    }
    if (typeof url !== 'string') return;
    const twilio = readInbound('twilio', {
      Body: 'Look',
      NumMedia: '2',
      MediaUrl0: url,
      MediaContentType0: 'image/jpeg',
      MediaUrl1: ONE,
      MediaContentType1: 'image/png',
    });
    expect(twilio).toMatchObject({ body: 'Look', media: telnyx.media });
  });

  test.each([
    ['an item that is null', [null, { url: ONE }]],
    ['an item that is a text', ['cat.png', { url: ONE }]],
    ['an item that is a list', [[], { url: ONE }]],
    ['an item without fields', [{}, { url: ONE }]],
  ])('the list of Telnyx has %s', (_name, media) => {
    expect(readInbound('telnyx', { text: 'Look', media })).toMatchObject({
      body: 'Look',
      media: [{ url: UNREADABLE_MEDIA }, { url: ONE }],
    });
  });

  test('a single file of Vonage without its object is unreadable', () => {
    for (const image of [undefined, null, 'one.png', {}]) {
      expect(readInbound('vonage', { message_type: 'image', text: 'Look', image })).toMatchObject({
        body: 'Look',
        media: [{ url: UNREADABLE_MEDIA, content_type: 'image/jpeg' }],
      });
    }
  });

  test('a message of Telnyx without a list of files has none', () => {
    for (const media of [undefined, null, [], {}, 'none']) {
      expect(readInbound('telnyx', { text: 'Hi', media })).toMatchObject({ body: 'Hi', media: [] });
    }
  });
});

describe('the files of Twilio are found by any of their fields', () => {
  const unreadable = { url: UNREADABLE_MEDIA, content_type: 'application/octet-stream' };
  const one = { url: ONE, content_type: 'image/png' };
  const two = { url: TWO, content_type: 'application/octet-stream' };
  test.each([
    [
      'a gap in the numbers',
      { NumMedia: '3', MediaUrl0: ONE, MediaUrl2: TWO },
      [one, unreadable, two],
    ],
    ['a gap at the start', { NumMedia: '2', MediaUrl1: ONE }, [unreadable, one]],
    ['an empty URL', { NumMedia: '2', MediaUrl0: '', MediaUrl1: ONE }, [unreadable, one]],
    ['NumMedia of 0', { NumMedia: '0', MediaUrl0: ONE }, [one]],
    ['no NumMedia', { MediaUrl0: ONE }, [one]],
    ['a NumMedia that is no number', { NumMedia: 'one', MediaUrl0: ONE }, [one]],
    ['a negative NumMedia', { NumMedia: '-1', MediaUrl0: ONE }, [one]],
    ['a NumMedia above the files', { NumMedia: '2', MediaUrl0: ONE }, [one, unreadable]],
    ['NumMedia and no file', { NumMedia: '1' }, [unreadable]],
    [
      'a type and no URL',
      { MediaContentType0: 'image/gif' },
      [{ ...unreadable, content_type: 'image/gif' }],
    ],
    ['fields in another order', { MediaUrl1: TWO, MediaUrl0: ONE }, [one, two]],
    ['no media', { NumMedia: '0' }, []],
  ])('a message with %s', (_name, fields, media) => {
    expect(readInbound('twilio', { Body: 'Look', ...fields })).toMatchObject({
      body: 'Look',
      media,
    });
  });

  test('a NumMedia of a million is limited to ten files', () => {
    expect(readInbound('twilio', { Body: 'Look', NumMedia: '1000000' }).media).toHaveLength(10);
  });
});

test('all texts of a Vonage message are kept, each once, whether they are beside the files or captions', () => {
  const content = [
    { type: 'image', url: ONE, caption: 'First' },
    { type: 'text', text: 'Second' },
    { type: 'image', url: TWO, caption: 'First' },
  ];
  expect(readInbound('vonage', { message_type: 'content', content })).toMatchObject({
    body: 'First\nSecond',
    media: [{ url: ONE }, { url: TWO }],
  });
  const image = { url: ONE, caption: 'Caption' };
  expect(readInbound('vonage', { message_type: 'image', text: 'Text', image }).body).toBe(
    'Text\nCaption',
  );
});

describe('the type of a file', () => {
  const telnyxType = (content_type: unknown, url = TWO) =>
    readInbound('telnyx', { media: [{ url, content_type }] }).media[0]?.content_type;
  const vonageType = (kind: string, name: string, more = {}) =>
    readInbound('vonage', {
      message_type: kind,
      [kind]: { url: `https://media.example/${name}`, ...more },
    }).media[0]?.content_type;

  test.each([
    ['text/vcard; charset=utf-8', 'text/vcard'],
    ['text/x-vCard; charset=UTF-8; name="Ada.vcf"', 'text/x-vcard'],
    ['image/jpeg;name=IMG_0001.jpg', 'image/jpeg'],
    [' image/png ', 'image/png'],
    ['IMAGE/JPEG', 'image/jpeg'],
    ['audio/amr ;rate=8000', 'audio/amr'],
    ['application/smil; charset="utf-8"', 'application/smil'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['image/svg+xml', 'image/svg+xml'],
    ['image', 'image/jpeg'],
    ['', 'application/octet-stream'],
    [null, 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
    ['text/html\r\nx: y', 'application/octet-stream'],
  ])('a received file that is stated as %j is %s', (stated, type) => {
    expect(telnyxType(stated)).toBe(type);
    const twilio = { MediaUrl0: TWO, MediaContentType0: stated ?? '' };
    expect(readInbound('twilio', twilio).media[0]?.content_type).toBe(type);
  });

  test.each([
    ['application/octet-stream', 'https://media.example/a.JPG?token=x.mp4', 'image/jpeg'],
    [undefined, 'https://media.example/contact.vcf', 'text/vcard'],
    [undefined, 'https://media.example/movie.3gp#t=1', 'video/3gpp'],
    ['image/png', 'https://media.example/a.mp4', 'image/png'],
  ])('a received file that is stated as %j at %s is %s', (stated, url, type) => {
    expect(telnyxType(stated, url)).toBe(type);
  });

  test.each([
    ['image', '1.png', 'image/png'],
    ['image', 'no-extension', 'image/jpeg'],
    ['image', 'photo.HEIC', 'image/heic'],
    ['image', 'file.bin', 'image/jpeg'],
    ['audio', 'voice.amr', 'audio/amr'],
    ['audio', 'voice.mp4', 'audio/mp4'],
    ['audio', 'voice.3gp', 'audio/3gpp'],
    ['audio', 'voice', 'audio/mpeg'],
    ['video', 'clip.mov', 'video/quicktime'],
    ['video', 'clip', 'video/mp4'],
    ['vcard', 'contact', 'text/vcard'],
    ['vcard', 'contact.vcf', 'text/vcard'],
    ['file', 'report.pdf', 'application/pdf'],
    ['file', 'data', 'application/octet-stream'],
    ['sticker', 'a', 'image/webp'],
  ])('of a Vonage %s at %s is %s', (kind, name, type) => {
    expect(vonageType(kind, name)).toBe(type);
  });

  test('of a Vonage file follows the name that Vonage states, if the URL has none', () => {
    expect(vonageType('file', 'f0a1', { name: 'Invoice.PDF' })).toBe('application/pdf');
  });
});
