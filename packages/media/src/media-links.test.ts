import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMediaLinks } from './media-links.ts';

const publicUrl = 'https://sms.example.com';
const mediaId = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';
const NOW = 1_795_000_000_000;
const HOUR_MS = 3_600_000;
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const create = (...keys: Buffer[]) => createMediaLinks({ publicUrl, keys });

function readLink(url: string) {
  const { pathname, searchParams, origin } = new URL(url);
  const expires = searchParams.get('expires') ?? '';
  const signature = searchParams.get('signature') ?? '';
  return { origin, pathname, expires, signature, mediaId: pathname.split('/').at(-2) ?? '' };
}

test('a link names the file with the extension of its type, and is valid for 12 hours', () => {
  const links = create(oldKey);
  const link = readLink(links.sign(mediaId, 'image/jpeg', NOW));
  expect(link.origin + link.pathname).toBe(
    `https://sms.example.com/api/media-links/${mediaId}/media.jpg`,
  );
  expect(links.verify(link, NOW)).toBe(true);
  expect(links.verify(link, NOW + 12 * HOUR_MS - 1)).toBe(true);
  expect(links.verify(link, NOW + 12 * HOUR_MS + 1_000)).toBe(false);
});

test('a link for another file, with another time or with another signature is not valid', () => {
  const links = create(oldKey);
  const link = readLink(links.sign(mediaId, null, NOW));
  const other = '01a1f7b3-89b6-7000-bd3d-000000000000';
  expect(links.verify({ ...link, mediaId: other }, NOW)).toBe(false);
  expect(links.verify({ ...link, expires: String(Number(link.expires) + 1) }, NOW)).toBe(false);
  expect(links.verify({ ...link, expires: '99999999999999' }, NOW)).toBe(false);
  for (const signature of ['', '.', 'x', link.signature.slice(1), `${link.signature}AA`]) {
    expect(links.verify({ ...link, signature }, NOW)).toBe(false);
  }
});

test('a link is valid in every process while SECRET_KEY is rotated, and not with other keys', () => {
  const before = create(oldKey);
  const during = create(newKey, oldKey);
  const after = create(newKey);
  const sign = (links: ReturnType<typeof create>) => readLink(links.sign(mediaId, null, NOW));
  expect(during.verify(sign(before), NOW)).toBe(true);
  expect(before.verify(sign(during), NOW)).toBe(true);
  expect(after.verify(sign(during), NOW)).toBe(true);
  expect(during.verify(sign(after), NOW)).toBe(true);
  expect(after.verify(sign(before), NOW)).toBe(false);
  expect(create().verify(sign(before), NOW)).toBe(false);
});
