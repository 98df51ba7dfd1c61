import fc from 'fast-check';
import { expect, test } from 'vitest';

import { TAG } from './commands.ts';
import type { MessagePdu } from './pdu.ts';
import { formatReceipt, readReceipt } from './receipt.ts';

const RECEIPT = 0x04;

function createPdu(fields: Partial<MessagePdu>): MessagePdu {
  const empty = {
    esmClass: RECEIPT,
    dataCoding: 0,
    shortMessage: Buffer.alloc(0),
    tlvs: new Map(),
  };
  return { command: 'deliver_sm', status: 0, sequence: 1, ...empty, ...fields } as MessagePdu;
}
const readText = (text: string, fields: Partial<MessagePdu> = {}) =>
  readReceipt(createPdu({ shortMessage: Buffer.from(text, 'latin1'), ...fields }));
const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const withTlvs = (...tlvs: [number, Buffer][]) => ({ tlvs: new Map<number, Buffer>(tlvs) });

const TIMES = {
  submittedAt: new Date('2026-11-23T10:00:00Z'),
  doneAt: new Date('2026-11-23T10:01:00Z'),
};

test('a receipt that is formatted and read is unchanged, with and without optional parameters', () => {
  const receipt = { messageId: 'a-1', state: 'UNDELIV', error: '027' } as const;
  const expected = { ...receipt, words: 'UNDELIV' };
  const { shortMessage, tlvs } = formatReceipt(receipt, TIMES);
  expect(readReceipt(createPdu({ shortMessage, tlvs }))).toEqual(expected);
  expect(readReceipt(createPdu({ shortMessage }))).toEqual(expected);
  expect(readReceipt(createPdu({ tlvs }))).toEqual({ ...expected, error: null });
});

test.each([
  ['ENROUTE', 'ENROUTE'],
  ['BUFFRED', 'ENROUTE'],
  ['BUFFERED', 'ENROUTE'],
  ['EN_ROUTE', 'ENROUTE'],
  ['SCHEDULED', 'SCHEDULED'],
  ['ACCEPTD', 'ACCEPTD'],
  ['ACCEPTED', 'ACCEPTD'],
  ['ACKED', 'ACCEPTD'],
  ['DELIVRD', 'DELIVRD'],
  ['Delivered', 'DELIVRD'],
  ['EXPIRED', 'EXPIRED'],
  ['DELETED', 'DELETED'],
  ['UNDELIV', 'UNDELIV'],
  ['UNDELIVERABLE', 'UNDELIV'],
  ['undelivered', 'UNDELIV'],
  ['FAILED', 'UNDELIV'],
  ['REJECTD', 'REJECTD'],
  ['REJECTED', 'REJECTD'],
  ['UNKNOWN', 'UNKNOWN'],
  ['SKIPPED', 'SKIPPED'],
  ['2', 'DELIVRD'],
  ['002', 'DELIVRD'],
  ['5', 'UNDELIV'],
  ['9', 'SKIPPED'],
  ['TELEPORTED', null],
  ['42', null],
])('the state %s of a text means %s, and its word is kept', (word, state) => {
  expect(readText(`id:7 sub:001 dlvrd:000 stat:${word} err:000 text:x`)).toEqual({
    messageId: '7',
    state,
    words: word,
    error: null,
  });
});

test.each([
  [Buffer.of(0), 'SCHEDULED', 'SCHEDULED'],
  [Buffer.of(2), 'DELIVRD', 'DELIVRD'],
  [Buffer.of(8), 'REJECTD', 'REJECTD'],
  [Buffer.of(9), 'SKIPPED', 'SKIPPED'],
  [Buffer.of(42), null, 'message_state 42'],
  [Buffer.from('2'), 'DELIVRD', 'DELIVRD'],
  [Buffer.from([0, 0, 0, 5]), 'UNDELIV', 'UNDELIV'],
])('the optional parameter message_state %j means %s', (value, state, words) => {
  const pdu = createPdu({
    ...withTlvs([TAG.receipted_message_id, Buffer.from('7\0')], [TAG.message_state, value]),
    esmClass: 0,
  });
  expect(readReceipt(pdu)).toEqual({ messageId: '7', state, words, error: null });
});

// The texts are those of SMSCs in the field.
test.each([
  [
    'appendix B',
    'id:77 sub:001 dlvrd:001 submit date:2611231000 done date:2611231001 stat:DELIVRD err:000 text:Hi',
    { messageId: '77', state: 'DELIVRD', error: null },
  ],
  [
    'capitals',
    'id:1A SUB:1 STAT:rejectd ERR:61',
    { messageId: '1A', state: 'REJECTD', error: '61' },
  ],
  [
    'no sub and dlvrd',
    'id:1526758174 submit date:1701240904 done date:1701240904 stat:DELIVRD err:000 text:hellow',
    { messageId: '1526758174', state: 'DELIVRD' },
  ],
  [
    'the shortest',
    'id:0654354026 submit date:2302101454 done date:2302101454 stat:DELIVRD err:000',
    { messageId: '0654354026', state: 'DELIVRD' },
  ],
  [
    'blanks after the colons',
    'id: 77 stat: UNDELIV err: 0',
    { messageId: '77', state: 'UNDELIV', error: null },
  ],
  [
    'commas',
    'id:77,sub:001,stat:EXPIRED,err:27',
    { messageId: '77', state: 'EXPIRED', error: '27' },
  ],
  ['quotes', `id:"a b" stat:'DELIVRD' err:"000"`, { messageId: 'a b', state: 'DELIVRD' }],
  [
    'names in quotes',
    '{"id":"77","stat":"DELIVRD","err":"0"}',
    { messageId: '77', state: 'DELIVRD' },
  ],
  [
    'another order',
    'stat:DELIVRD err:000 done date:1 id:77',
    { messageId: '77', state: 'DELIVRD' },
  ],
  ['equals signs', 'id=77;stat=DELIVRD;err=0', { messageId: '77', state: 'DELIVRD' }],
  [
    'an empty field',
    'id:77 sub: dlvrd: stat:DELIVRD err: text:',
    { messageId: '77', state: 'DELIVRD', error: null },
  ],
  [
    'a text that looks like fields',
    'id:77 stat:DELIVRD err:000 text:id:88 stat:UNDELIV err:99',
    { messageId: '77', state: 'DELIVRD', error: null },
  ],
  ['the text first', 'text:Hi id:77 stat:DELIVRD', { messageId: '77', state: 'DELIVRD' }],
  ['an id with an underscore', 'id:a_7 stat:DELIVRD', { messageId: 'a_7', state: 'DELIVRD' }],
  [
    'an id with an underscore in GSM-7',
    'id:a\x117 stat:DELIVRD',
    { messageId: 'a_7', state: 'DELIVRD' },
  ],
  ['lines', 'id:77\r\nsub:001\r\nstat:DELIVRD\r\nerr:000', { messageId: '77', state: 'DELIVRD' }],
])('a receipt with %s is read', (_, text, expected) => {
  expect(readText(text)).toMatchObject(expected);
});

test.each([
  ['UCS-2, as data_coding says', ucs2('id:77 stat:DELIVRD err:000 text:Привет'), 8],
  ['ASCII, although data_coding says UCS-2', Buffer.from('id:77 stat:DELIVRD text:Hi'), 8],
  ['UCS-2, although data_coding does not say so', ucs2('id:77 stat:DELIVRD text:Hi'), 0],
  ['UCS-2 with a byte order mark', ucs2('\ufeffid:77 stat:DELIVRD'), 8],
  ['Latin-1', Buffer.from('id:77 stat:DELIVRD text:é', 'latin1'), 3],
])('a receipt in %s is read', (_, shortMessage, dataCoding) => {
  expect(readReceipt(createPdu({ shortMessage, dataCoding }))).toMatchObject({
    messageId: '77',
    state: 'DELIVRD',
  });
});

test('a receipt in message_payload is read', () => {
  const fields = withTlvs([TAG.message_payload, Buffer.from('id:77 stat:DELIVRD')]);
  expect(readReceipt(createPdu(fields))).toMatchObject({ messageId: '77', state: 'DELIVRD' });
});

const RECEIPTED = withTlvs([TAG.receipted_message_id, Buffer.from('77\0')]);

test.each([
  ['a known state', 'stat:DELIVRD', 'DELIVRD'],
  ['a known number', 'stat:5', 'UNDELIV'],
  ['most fields of a receipt', 'sub:001 dlvrd:001 done date:26112310 stat:TELEPORTED err:0', null],
])('without esm_class, a text with receipted_message_id and %s is a receipt', (_, text, state) => {
  expect(readText(text, { ...RECEIPTED, esmClass: 0 })).toMatchObject({ messageId: '77', state });
});

test.each([
  ['a message', 'Hello', {}],
  [
    'a message with receipted_message_id, which some SMSCs add to every message',
    'Hello',
    RECEIPTED,
  ],
  ['a message about a state', 'stat: no idea', RECEIPTED],
  ['the text of a receipt that a person wrote', 'id:77 stat:DELIVRD err:000', {}],
])('without esm_class, %s is no receipt', (_, text, fields) => {
  expect(readText(text, { ...fields, esmClass: 0 })).toBeNull();
});

test('a receipt without a state has its fields as words, without the text of the message', () => {
  expect(readText('id:77 done date:2611231001 err:5 text:secret')).toEqual({
    messageId: '77',
    state: null,
    words: 'id:77 done date:2611231001 err:5',
    error: '5',
  });
  expect(readText('stat:DELIVRD')).toMatchObject({ messageId: null, state: 'DELIVRD' });
  expect(readText('')).toMatchObject({ messageId: null, state: null, words: '' });
});

test('an intermediate notification is a receipt', () => {
  expect(readText('id:77 stat:ENROUTE', { esmClass: 0x20 })).toMatchObject({ state: 'ENROUTE' });
});

test('any order of fields and any separators give the same receipt', () => {
  const word = fc.constantFrom('DELIVRD', 'UNDELIV', 'EXPIRED', 'FAILED', 'TELEPORTED');
  const id = fc.string({
    unit: fc.constantFrom(...'0123456789abcdefXYZ-_.'.split('')),
    minLength: 1,
    maxLength: 40,
  });
  const separator = fc.constantFrom(' ', ',', ', ', ';', '\r\n', '  ');
  const quote = fc.constantFrom('', '"', "'");
  const others = [
    'sub:001',
    'dlvrd:001',
    'submit date:2611231000',
    'done date:2611231001',
    'err:027',
  ];
  fc.assert(
    fc.property(
      id,
      word,
      separator,
      quote,
      fc.constantFrom('', ' '),
      fc.shuffledSubarray(['id', 'stat', ...others], { minLength: 7 }),
      (messageId, stat, between, mark, blank, order) => {
        const text = order
          .map((field) => {
            if (field === 'id') return `id:${blank}${mark}${messageId}${mark}`;
            return field === 'stat' ? `stat:${blank}${mark}${stat}${mark}` : field;
          })
          .join(between);
        expect(readText(`${text}${between}text:whatever`)).toMatchObject({
          messageId,
          words: stat,
          error: '027',
        });
      },
    ),
  );
});

test('any bytes are read without an exception', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 120 }),
      fc.uint8Array({ maxLength: 10 }),
      fc.nat(255),
      fc.nat(255),
      (text, value, esmClass, dataCoding) => {
        const bytes = Buffer.from(value);
        const pdu = createPdu({
          ...withTlvs([TAG.receipted_message_id, bytes], [TAG.message_state, bytes]),
          shortMessage: Buffer.from(text),
          esmClass,
          dataCoding,
        });
        expect(readReceipt(pdu)?.words.isWellFormed() ?? true).toBe(true);
      },
    ),
  );
});
