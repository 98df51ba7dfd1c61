import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMAND_IDS, STATUS, nameStatus } from './commands.ts';
import { decodePdu } from './decode-pdu.ts';
import { encodePdu } from './encode-pdu.ts';
import { createFrameReader } from './frame-reader.ts';
import type { MessageFields, PduContent } from './pdu.ts';

const text = (maxLength: number) =>
  fc.string({
    unit: fc.integer({ min: 1, max: 255 }).map((c) => String.fromCharCode(c)),
    maxLength,
  });
const byte = fc.nat(255);
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((each) => Buffer.from(each));

const messageFields: fc.Arbitrary<MessageFields> = fc.record({
  serviceType: text(5),
  sourceTon: byte,
  sourceNpi: byte,
  source: text(20),
  destinationTon: byte,
  destinationNpi: byte,
  destination: text(20),
  esmClass: byte,
  protocolId: byte,
  priority: byte,
  scheduleTime: text(16),
  validityPeriod: text(16),
  registeredDelivery: byte,
  replaceIfPresent: byte,
  dataCoding: byte,
  defaultMessageId: byte,
  shortMessage: bytes(254),
});
/** The fields of data_sm, section 4.7.1. */
const pickDataFields = ({
  serviceType,
  sourceTon,
  sourceNpi,
  source,
  destinationTon,
  destinationNpi,
  destination,
  esmClass,
  registeredDelivery,
  dataCoding,
}: MessageFields) => ({
  serviceType,
  sourceTon,
  sourceNpi,
  source,
  destinationTon,
  destinationNpi,
  destination,
  esmClass,
  registeredDelivery,
  dataCoding,
});
const tlvs = fc
  .array(fc.tuple(fc.nat(0xffff), bytes(300)), { maxLength: 4 })
  .map((entries) => new Map(entries));
const pdus: fc.Arbitrary<PduContent> = fc.oneof(
  fc
    .tuple(fc.constantFrom('submit_sm' as const, 'deliver_sm' as const), messageFields, tlvs)
    .map(([command, fields, optional]) => ({ command, status: 0, ...fields, tlvs: optional })),
  fc.tuple(messageFields, tlvs).map(([fields, optional]) => ({
    command: 'data_sm' as const,
    status: 0,
    ...pickDataFields(fields),
    tlvs: optional,
  })),
  fc.record({
    command: fc.constantFrom('submit_sm_resp' as const, 'data_sm_resp' as const),
    status: fc.constant(0),
    messageId: text(64),
    tlvs,
  }),
  fc.record({ command: fc.constant('enquire_link' as const), status: fc.constant(0), tlvs }),
);

test('a PDU that is encoded and decoded is unchanged', () => {
  fc.assert(
    fc.property(pdus, fc.nat(0x7fffffff), (pdu, sequence) => {
      expect(decodePdu(encodePdu(pdu, sequence))).toEqual({ ok: true, pdu: { ...pdu, sequence } });
    }),
  );
});

test('the reader finds the same PDUs wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(pdus, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (all, size) => {
      const frames = all.map((pdu, index) => encodePdu(pdu, index + 1));
      const stream = Buffer.concat(frames);
      const reader = createFrameReader();
      const found: Buffer[] = [];
      for (let start = 0; start < stream.length; start += size) {
        found.push(...(reader.push(stream.subarray(start, start + size)) ?? []));
      }
      expect(found.map((frame) => frame.toString('hex'))).toEqual(
        frames.map((frame) => frame.toString('hex')),
      );
    }),
  );
});

test('a stream with an impossible length is not SMPP', () => {
  expect(createFrameReader().push(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBeNull();
  expect(createFrameReader().push(Buffer.from([0, 0, 0, 15]))).toBeNull();
});

test('a PDU with any content is decoded or refused without an exception', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(COMMAND_IDS)), bytes(80), (id, content) => {
      const header = Buffer.alloc(16);
      header.writeUInt32BE(16 + content.length, 0);
      header.writeUInt32BE(id, 4);
      header.writeUInt32BE(7, 12);
      const decoded = decodePdu(Buffer.concat([header, content]));
      const sequence = decoded.ok ? decoded.pdu.sequence : decoded.sequence;
      expect(sequence).toBe(7);
    }),
  );
});

test('an unknown command and a cut request are refused with the reason, and a response may have no body', () => {
  const submit: PduContent = {
    command: 'submit_sm_resp',
    status: STATUS.ESME_RTHROTTLED,
    messageId: 'ignored',
  };
  expect(decodePdu(encodePdu(submit, 3))).toMatchObject({
    ok: true,
    pdu: { command: 'submit_sm_resp', status: 0x58, sequence: 3, messageId: '' },
  });
  const request = encodePdu({ command: 'enquire_link' }, 4);
  request.writeUInt32BE(COMMAND_IDS.submit_sm, 4);
  expect(decodePdu(request)).toMatchObject({ ok: false, status: STATUS.ESME_RINVCMDLEN });
  request.writeUInt32BE(0x111, 4);
  expect(decodePdu(request)).toMatchObject({ ok: false, status: STATUS.ESME_RINVCMDID });
});

test('a status is described by its name in SMPP, or by its number', () => {
  expect(nameStatus(0x58)).toBe('ESME_RTHROTTLED');
  expect(nameStatus(0x400)).toBe('0x00000400');
});
