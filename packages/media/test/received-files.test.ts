import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMediaType } from '../src/read-media-type.ts';
import { FileTooLargeError, receiveFile } from '../src/receive-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-media-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let made = 0;
const newPath = (): string => join(folder, String((made += 1)));

/** Creates the beginning of a file in the container of MP4. */
const mp4 = (brand: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}`),
    Buffer.from([0, 0, 2, 0]),
    Buffer.from(`${brand}isom`),
    Buffer.alloc(64),
  ]);
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test.each([
  ['image/png', Buffer.from(PNG, 'base64')],
  ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
  ['image/gif', text('GIF89a\x01\x00\x01\x00\x00\x00\x00;')],
  ['video/mp4', mp4('isom')],
  ['video/3gpp', mp4('3gp4')],
  ['video/quicktime', mp4('qt  ')],
  ['audio/mp4', mp4('M4A ')],
  ['audio/amr', text('#!AMR\nxxxxxxxxxxxx')],
  ['audio/wav', text('RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00')],
  ['application/pdf', text('%PDF-1.7\n%xxxx\n1 0 obj\n')],
  ['text/vcard', text('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nEND:VCARD\r\n')],
])('a file of type %s is recognized by its content', async (type, content) => {
  const path = newPath();
  await writeFile(path, content);
  expect(await readMediaType(path)).toBe(type);
});

test.each([
  ['an HTML page', text('<!doctype html><script>alert(1)</script>')],
  ['an SVG picture', text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['a ZIP archive', Buffer.from('504b0304140000000000', 'hex')],
  ['a program', Buffer.concat([text('\x7fELF'), Buffer.alloc(64)])],
  ['a text', text('Hello')],
  ['one byte', text('x')],
])('%s has no accepted type', async (_what, content) => {
  const path = newPath();
  await writeFile(path, content);
  expect(await readMediaType(path)).toBeNull();
});

test('a stream is written completely up to the limit, and refused as soon as it exceeds it', async () => {
  const path = newPath();
  expect(await receiveFile(Readable.from([text('abc'), text('def')]), path, 6)).toBe(6);
  expect(await readFile(path, 'utf8')).toBe('abcdef');

  let sent = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        sent += 1_024;
        yield Buffer.alloc(1_024);
      }
    })(),
  );
  await expect(receiveFile(endless, newPath(), 10_000)).rejects.toThrow(FileTooLargeError);
  expect(sent).toBeLessThan(1_000_000);
  // The rest of a request is read and discarded.
  expect(endless.destroyed).toBe(false);
});

test('an existing file is not overwritten', async () => {
  const path = newPath();
  await writeFile(path, 'first');
  await expect(receiveFile(Readable.from([text('second')]), path, 100)).rejects.toThrow('EEXIST');
  expect(await readFile(path, 'utf8')).toBe('first');
});
