import { describe, expect, test } from 'vitest';
import { findAttachmentProblem, kindOfMedia } from './attachment.ts';

const file = (type: string, size = 1_000) => ({ type, size });
const MEGABYTE = 1_048_576;

describe('a file that is chosen as an attachment', () => {
  test.each([
    'image/jpeg',
    'video/mp4',
    'audio/mpeg',
    'application/pdf',
    'text/vcard',
    'text/x-vcard',
    '',
  ])('may have the type %j', (type) => expect(findAttachmentProblem(file(type), [])).toBeNull());

  test.each([
    ['text/html', 1_000, 'can’t be sent'],
    ['application/zip', 1_000, 'can’t be sent'],
    ['image/png', 0, 'empty'],
    ['image/png', 5 * MEGABYTE + 1, 'larger than 5 MB'],
  ])('with the type %s and %i bytes is refused with the reason', (type, size, reason) => {
    expect(findAttachmentProblem(file(type, size), [])).toContain(reason);
  });

  test('is refused if the message would then have more than ten attachments or 5 MB', () => {
    const ten = Array.from({ length: 10 }, () => ({ size: 1 }));
    expect(findAttachmentProblem(file('image/png'), ten)).toContain('at most 10 attachments');
    expect(findAttachmentProblem(file('image/png'), ten.slice(1))).toBeNull();
    const large = [{ size: 3 * MEGABYTE }, { size: null }];
    expect(findAttachmentProblem(file('image/png', 2 * MEGABYTE), large)).toBeNull();
    expect(findAttachmentProblem(file('image/png', 2 * MEGABYTE + 1), large)).toContain('in total');
  });
});

test.each([
  ['image/heic', 'Picture'],
  ['video/mp4', 'Video'],
  ['audio/amr', 'Audio file'],
  ['application/pdf', 'PDF'],
  ['text/x-vcard', 'Contact card'],
  ['application/zip', 'File'],
  [null, 'Attachment'],
])('a file of type %j is called %s', (type, name) => expect(kindOfMedia(type)).toBe(name));
