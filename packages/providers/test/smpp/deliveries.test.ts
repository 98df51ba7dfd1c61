import { setTimeout as delay } from 'node:timers/promises';
import { toSidKey } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { type MessagePdu, STATUS, TAG, formatReceipt, splitText } from '@switchboard/smpp';
import { expect, test, vi } from 'vitest';
import { openSmpp } from './open-smpp.ts';
import { startSmsc } from './start-smsc.ts';

const OK = { type: 'response', pdu: { command: 'deliver_sm_resp', status: STATUS.ESME_ROK } };
const TEMPORARY = { type: 'response', pdu: { status: STATUS.ESME_RX_T_APPN } };
const PERMANENT = { type: 'response', pdu: { status: STATUS.ESME_RX_P_APPN } };

const textReceipt = (text: string) => ({ esmClass: 4, shortMessage: Buffer.from(text) });

test('a receipt is acknowledged after it is stored, and not before', async () => {
  const smsc = await startSmsc();
  let finish = (): void => undefined;
  const stored = new Promise<void>((resolve) => (finish = resolve));
  const { statuses, account } = await openSmpp(smsc.port, { store: () => stored });
  let isAcknowledged = false;
  const times = { submittedAt: new Date(), doneAt: new Date() };
  const receipt = formatReceipt({ messageId: 'abc-1', state: 'DELIVRD', error: null }, times);
  const delivered = smsc.deliver({ esmClass: 4, ...receipt });
  void delivered.then(() => (isAcknowledged = true));
  await vi.waitFor(() => expect(statuses).toHaveLength(1), EVENTUALLY);
  // Until then, later requests are answered.
  const enquired = await smsc.bound()?.session.request({ command: 'enquire_link' }, 20_000);
  expect(enquired).toMatchObject({ type: 'response' });
  expect(isAcknowledged).toBe(false);
  finish();
  expect(await delivered).toMatchObject(OK);
  expect(statuses).toEqual([
    {
      messageId: null,
      sid: 'abc-1',
      match: { expectedKey: 'abc-1', addresses: ['15551234567', '15557654321'] },
      vendorAccountId: account.vendorAccountId,
      status: 'delivered',
      rawStatus: 'DELIVRD',
      isRawStatusShown: true,
      from: null,
      errorCode: null,
      errorDetail: null,
      isOptOut: false,
    },
  ]);
});

test('a delivery that cannot be stored gets a temporary error, and is stored when the SMSC delivers it again', async () => {
  const smsc = await startSmsc();
  let failures = 2;
  const { statuses, inbound } = await openSmpp(smsc.port, {
    store: async () => {
      if ((failures -= 1) >= 0) throw new Error('no database');
    },
  });
  expect(await smsc.deliver(textReceipt('id:7 stat:DELIVRD'))).toMatchObject(TEMPORARY);
  expect(await smsc.deliver({ shortMessage: Buffer.from('Hi') })).toMatchObject(TEMPORARY);
  expect(await smsc.deliver(textReceipt('id:7 stat:DELIVRD'))).toMatchObject(OK);
  expect(await smsc.deliver({ shortMessage: Buffer.from('Hi') })).toMatchObject(OK);
  expect([statuses.length, inbound.length]).toEqual([2, 2]);
});

test.each([
  ['ENROUTE', 'sent', null],
  ['ACCEPTD', 'sent', null],
  ['DELIVRD', 'delivered', null],
  ['EXPIRED', 'undelivered', '027'],
  ['DELETED', 'undelivered', '027'],
  ['UNDELIV', 'undelivered', '027'],
  ['REJECTD', 'undelivered', '027'],
  ['UNKNOWN', 'undelivered', '027'],
])('a receipt with the state %s means %s', async (state, status, errorCode) => {
  const smsc = await startSmsc();
  const { statuses } = await openSmpp(smsc.port);
  await smsc.deliver(textReceipt(`id:7 sub:001 dlvrd:000 stat:${state} err:027 text:x`));
  expect(statuses).toMatchObject([{ sid: '7', status, rawStatus: state, errorCode }]);
});

test('a receipt without an error number has its state as the error', async () => {
  const smsc = await startSmsc();
  const { statuses } = await openSmpp(smsc.port);
  await smsc.deliver(textReceipt('id:7 stat:EXPIRED err:000'));
  expect(statuses).toMatchObject([
    { errorCode: 'EXPIRED', errorDetail: expect.stringContaining('expired') },
  ]);
});

test.each([
  ['decimal', '0000123', '123'],
  ['hex_in_response', '1e240', '123456'],
  ['hex_in_receipt', '123456', '1E240'],
  ['same', 'A-1', 'A-1'],
])(
  'with `message_ids` %s, the receipt for the response %s is expected to have the identifier %s',
  async (message_ids, inResponse, inReceipt) => {
    const smsc = await startSmsc({ onSubmit: ({ respond }) => respond(0, inResponse) });
    const { send, statuses } = await openSmpp(smsc.port, { credentials: { message_ids } });
    const outcome = await send();
    await smsc.deliver(textReceipt(`id:${inReceipt} stat:DELIVRD`));
    expect(outcome).toMatchObject({
      kind: 'accepted',
      message: { sid: inResponse, mayShareSid: true },
    });
    expect(statuses).toMatchObject([
      { sid: inReceipt, match: { expectedKey: toSidKey(inResponse) } },
    ]);
  },
);

test('a receipt is recognized by its optional parameters alone', async () => {
  const smsc = await startSmsc();
  const { statuses, inbound } = await openSmpp(smsc.port);
  const tlvs = new Map([
    [TAG.receipted_message_id as number, Buffer.from('7\0')],
    [TAG.message_state as number, Buffer.from([2])],
  ]);
  expect(await smsc.deliver({ tlvs })).toMatchObject(OK);
  expect(statuses).toMatchObject([{ sid: '7', status: 'delivered' }]);
  expect(inbound).toEqual([]);
});

test('a receipt without esm_class whose state is only in the text is no received message', async () => {
  const smsc = await startSmsc();
  const { statuses, inbound } = await openSmpp(smsc.port);
  const tlvs = new Map([[TAG.receipted_message_id as number, Buffer.from('7\0')]]);
  const shortMessage = Buffer.from('id:7 sub:001 dlvrd:001 stat:DELIVRD err:000 text:');
  expect(await smsc.deliver({ tlvs, shortMessage })).toMatchObject(OK);
  expect(statuses).toMatchObject([{ sid: '7', status: 'delivered' }]);
  expect(inbound).toEqual([]);
});

test('a receipt with an unknown state is acknowledged, stored with its words, and reported', async () => {
  const smsc = await startSmsc();
  const { statuses, problems } = await openSmpp(smsc.port);
  expect(await smsc.deliver(textReceipt('id:7 stat:TELEPORTED err:12'))).toMatchObject(OK);
  expect(await smsc.deliver(textReceipt('id:8 done date:2611231001'))).toMatchObject(OK);
  expect(statuses).toMatchObject([
    { sid: '7', status: null, rawStatus: 'TELEPORTED err:12', errorCode: null },
    { sid: '8', status: null, rawStatus: 'id:8 done date:2611231001' },
  ]);
  expect(problems).toEqual([
    { kind: 'unknown_state', example: 'TELEPORTED' },
    { kind: 'unknown_state', example: 'id:8 done date:2611231001' },
  ]);
});

test.each([
  ['FAILED', 'undelivered', 'FAILED'],
  ['ACKED', 'sent', null],
  ['BUFFRED', 'sent', null],
  ['UNDELIVERABLE', 'undelivered', 'UNDELIVERABLE'],
  ['2', 'delivered', null],
])(
  'a receipt with the word %s means %s, and the timeline shows the word',
  async (word, status, errorCode) => {
    const smsc = await startSmsc();
    const { statuses, problems } = await openSmpp(smsc.port);
    expect(await smsc.deliver(textReceipt(`id:7 stat:${word} err:000`))).toMatchObject(OK);
    expect(statuses).toMatchObject([
      { status, rawStatus: word, isRawStatusShown: true, errorCode },
    ]);
    expect(problems).toEqual([]);
  },
);

test('a receipt without a message and a message without addresses get a permanent error, and are reported', async () => {
  const smsc = await startSmsc();
  const { statuses, inbound, problems } = await openSmpp(smsc.port);
  expect(await smsc.deliver(textReceipt('stat:DELIVRD'))).toMatchObject(PERMANENT);
  expect(await smsc.deliver({ source: '' })).toMatchObject(PERMANENT);
  expect(await smsc.deliver({ destination: 'a\x01b' })).toMatchObject(PERMANENT);
  expect(problems).toEqual([
    { kind: 'unreadable_receipt', example: 'DELIVRD' },
    { kind: 'unreadable_message', example: 'no sender' },
    { kind: 'unreadable_message', example: 'no recipient' },
  ]);
  expect([statuses, inbound]).toEqual([[], []]);
});

test('a received message has its text, and numbers in our format', async () => {
  const smsc = await startSmsc();
  const { inbound } = await openSmpp(smsc.port);
  const [fields] = splitText('Grüße 😀', 1, 'udh');
  expect(await smsc.deliver({ ...fields })).toMatchObject(OK);
  expect(inbound).toEqual([
    {
      message: {
        sid: null,
        to: '+15557654321',
        from: '+15551234567',
        body: 'Grüße 😀',
        media: [],
        segments: 1,
        providerKeyword: null,
      },
      providerTimestamp: null,
      part: null,
    },
  ]);
});

test.each([
  [{ destinationTon: 3, destination: '12345' }, { to: '12345' }],
  [{ sourceTon: 5, source: 'My Shop' }, { from: 'My Shop' }],
  [{ sourceTon: 0, source: '447700900001' }, { from: '+447700900001' }],
  [{ sourceTon: 2, source: '07700900001' }, { from: '07700900001' }],
  [{ shortMessage: Buffer.from('a\0b'), dataCoding: 3 }, { body: 'a\uFFFDb' }],
  [{ shortMessage: Buffer.from([0xd8, 0x3d]), dataCoding: 8 }, { body: '\uFFFD' }],
  [{ shortMessage: Buffer.from('STOP\0'), dataCoding: 1 }, { body: 'STOP' }],
  [{ shortMessage: Buffer.from('\0S\0T\0O\0P\0\0'), dataCoding: 8 }, { body: 'STOP' }],
  [
    { esmClass: 0x40, shortMessage: Buffer.from(`0324010d${'1b20'.repeat(70)}`, 'hex') },
    { body: '\u06f4'.repeat(70), segments: 1 },
  ],
  // Kannel’s server sends the same one with every message, so it identifies none.
  [{ tlvs: new Map([[TAG.receipted_message_id, Buffer.from('M1\0')]]) }, { sid: null }],
] satisfies [Partial<MessagePdu>, object][])(
  'a received message %j is read as %j',
  async (fields, expected) => {
    const smsc = await startSmsc();
    const { inbound } = await openSmpp(smsc.port);
    expect(await smsc.deliver(fields)).toMatchObject(OK);
    expect(inbound).toMatchObject([{ message: expected }]);
  },
);

test.each([
  [0, '0014155558599', '+14155558599'],
  [2, '4155558596', '+14155558596'],
  [0, '4155558595', '+14155558595'],
  [3, '33612345678', '+33612345678'],
  [5, '14155558597', '+14155558597'],
  [6, '01133612345678', '+33612345678'],
  [5, 'ACME', 'ACME'],
  [6, '12345', '12345'],
])(
  'a sender under the type of number %i, %s, to a number of the United States is %s',
  async (sourceTon, source, from) => {
    const smsc = await startSmsc();
    const { inbound } = await openSmpp(smsc.port);
    const destination = { destinationTon: 0, destinationNpi: 1, destination: '15550001111' };
    expect(await smsc.deliver({ sourceTon, source, ...destination })).toMatchObject(OK);
    expect(inbound).toMatchObject([{ message: { from, to: '+15550001111' } }]);
  },
);

test('the parts of a received message are stored one by one, even if a part ends within a character', async () => {
  const smsc = await startSmsc();
  const { inbound, adapter } = await openSmpp(smsc.port);
  const text = Buffer.from('a😀', 'utf16le').swap16();
  const partOf = (sequence: number, content: Buffer) => ({
    esmClass: 0x40,
    dataCoding: 8,
    shortMessage: Buffer.concat([Buffer.from([5, 0, 3, 9, 2, sequence]), content]),
  });
  // The second unit of the character is split.
  await smsc.deliver(partOf(2, text.subarray(5)));
  await smsc.deliver(partOf(1, text.subarray(0, 5)));
  expect(inbound.map(({ part }) => part)).toMatchObject([
    { reference: 9, total: 2, sequence: 2 },
    { reference: 9, total: 2, sequence: 1 },
  ]);
  const contents = inbound.toReversed().map(({ part }) => part?.content ?? '');
  expect(adapter.sessions?.decodeParts(contents)).toBe('a😀');
});

test('while a thousand receipts wait to be stored, nothing more is read, and then every one is stored and acknowledged', async () => {
  const smsc = await startSmsc();
  let finish = (): void => undefined;
  const stored = new Promise<void>((resolve) => (finish = resolve));
  const { statuses } = await openSmpp(smsc.port, { store: () => stored });
  const receipts = Array.from({ length: 1_400 }, (_, index) =>
    smsc.deliver(textReceipt(`id:${index} stat:DELIVRD`)),
  );
  await vi.waitFor(() => expect(statuses.length).toBe(1_000), EVENTUALLY);
  await delay(200);
  expect(statuses.length).toBe(1_000);
  finish();
  for (const delivered of await Promise.all(receipts)) expect(delivered).toMatchObject(OK);
  expect(statuses.length).toBe(1_400);
});

test('a request that an SMSC never makes gets a generic_nack', async () => {
  const smsc = await startSmsc();
  await openSmpp(smsc.port);
  const fields = { systemId: '', password: '', systemType: '', addressRange: '' };
  const numbers = { interfaceVersion: 0x34, addressTon: 0, addressNpi: 0 };
  const result = await smsc
    .bound()
    ?.session.request({ command: 'bind_receiver', ...fields, ...numbers }, 20_000);
  expect(result).toMatchObject({
    type: 'response',
    pdu: { command: 'generic_nack', status: STATUS.ESME_RINVCMDID },
  });
});
