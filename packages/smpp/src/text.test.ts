import { countSegments } from '@switchboard/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TAG } from './commands.ts';
import { readText } from './concatenation.ts';
import type { MessagePdu } from './pdu.ts';
import { splitText } from './split-text.ts';
import { decodeText } from './text-coding.ts';

/** Creates a deliver_sm with the given fields. */
function createPdu(fields: Partial<MessagePdu>): MessagePdu {
  const empty = { esmClass: 0, dataCoding: 0, shortMessage: Buffer.alloc(0), tlvs: new Map() };
  return { command: 'deliver_sm', status: 0, sequence: 1, ...empty, ...fields } as MessagePdu;
}

const GSM7_TEXT = fc.string({
  unit: fc.constantFrom(
    ...'@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%09:;<=>?¡AZÄÖÑܧ¿azäöñüà\n\r^{}\\[~]|€'.split(''),
  ),
  maxLength: 500,
});
const TEXT = fc.oneof(GSM7_TEXT, fc.string({ unit: 'grapheme', maxLength: 300 }));

test('the parts of any text join to that text, and their number is the number that the carrier bills', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      const parts = splitText(text, 7, 'udh').map((fields) => createPdu(fields));
      const contents = parts.map((pdu) => readText(pdu));
      expect(decodeText(contents.map((content) => content.text))).toBe(text);
      expect(parts).toHaveLength(countSegments(text).segments);
      expect(contents.map(({ part }) => part)).toEqual(
        parts.length === 1
          ? [null]
          : parts.map((_, index) => ({ reference: 7, total: parts.length, sequence: index + 1 })),
      );
      for (const { shortMessage } of parts) expect(shortMessage.length).toBeLessThanOrEqual(160);
    }),
  );
});

test('a long text fits one message_payload', () => {
  const text = 'ж'.repeat(200);
  const parts = splitText(text, 1, 'payload');
  expect(parts).toHaveLength(1);
  const read = readText(createPdu(parts[0] ?? {}));
  expect(read.part).toBeNull();
  expect(decodeText([read.text])).toBe(text);
});

test.each([
  [
    'a reference of 16 bits',
    { esmClass: 0x40, shortMessage: Buffer.from([6, 8, 4, 1, 2, 3, 2, 65]) },
  ],
  [
    'a header with another element before the part',
    { esmClass: 0x40, shortMessage: Buffer.from([10, 5, 2, 9, 9, 8, 4, 1, 2, 3, 2, 65]) },
  ],
  [
    'the optional parameters',
    {
      shortMessage: Buffer.from('A'),
      tlvs: new Map<number, Buffer>([
        [TAG.sar_msg_ref_num, Buffer.from([1, 2])],
        [TAG.sar_total_segments, Buffer.from([3])],
        [TAG.sar_segment_seqnum, Buffer.from([2])],
      ]),
    },
  ],
])('the part of a message is read from %s', (_, fields) => {
  const { part, text } = readText(createPdu(fields));
  expect(part).toEqual({ reference: 0x0102, total: 3, sequence: 2 });
  expect(text.bytes.toString()).toBe('A');
});

test('the language tables of a text are read from its user data header', () => {
  const shortMessage = Buffer.from('032401011b67', 'hex');
  const single = readText(createPdu({ esmClass: 0x40, shortMessage }));
  expect(decodeText([single.text])).toBe('ğ');
  const both = Buffer.from([11, 0, 3, 7, 2, 1, 0x24, 1, 1, 0x25, 1, 1, 0x40, 0x1b, 0x67, 0x41]);
  const read = readText(createPdu({ esmClass: 0x40, shortMessage: both }));
  expect(read.part).toEqual({ reference: 7, total: 2, sequence: 1 });
  expect(decodeText([read.text])).toBe('İğA');
});

test('the part number in the optional parameters is read if the header has none', () => {
  const { part, text } = readText(
    createPdu({
      esmClass: 0x40,
      shortMessage: Buffer.from([3, 0x24, 1, 3, 0x1b, 0x41]),
      tlvs: new Map<number, Buffer>([
        [TAG.sar_msg_ref_num, Buffer.from([0, 9])],
        [TAG.sar_total_segments, Buffer.from([2])],
        [TAG.sar_segment_seqnum, Buffer.from([1])],
      ]),
    }),
  );
  expect(part).toEqual({ reference: 9, total: 2, sequence: 1 });
  expect(decodeText([text])).toBe('À');
});

test('a truncated or invalid user data header is ignored without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (content) => {
      const { part } = readText(createPdu({ esmClass: 0x40, shortMessage: Buffer.from(content) }));
      expect(part === null || part.sequence <= part.total).toBe(true);
    }),
  );
});
