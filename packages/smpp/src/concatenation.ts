import { ESM_CLASS, TAG } from './commands.ts';
import type { Languages } from './gsm-7.ts';
import type { DeliveredPdu } from './pdu.ts';
import type { TextPart } from './text-coding.ts';

/** The part of a long message that a PDU contains. `sequence` counts from 1. */
export interface Part {
  reference: number;
  total: number;
  sequence: number;
}

export interface MessageText {
  /** Null for a message in one part. */
  part: Part | null;
  text: TextPart;
}

/** Information elements, 3GPP TS 23.040, section 9.2.3.24. */
const REFERENCE_OF_8_BITS = 0x00;
const REFERENCE_OF_16_BITS = 0x08;
const NATIONAL_SINGLE_SHIFT = 0x24;
const NATIONAL_LOCKING_SHIFT = 0x25;

/** Creates the user data header of a part (3GPP TS 23.040, section 9.2.3.24). */
export function createPartHeader({ reference, total, sequence }: Part): Buffer {
  return Buffer.from([5, REFERENCE_OF_8_BITS, 3, reference & 0xff, total, sequence]);
}

/**
 * Reads the text of a message, or of its part, from `short_message` or `message_payload`, without the user
 * data header. The part is that of the header, or of the `sar_` parameters.
 */
export function readText(pdu: DeliveredPdu): MessageText {
  const { esmClass, dataCoding, tlvs } = pdu;
  const shortMessage = readShortMessage(pdu);
  const bytes =
    shortMessage.length > 0 ? shortMessage : (tlvs.get(TAG.message_payload) ?? shortMessage);
  const hasHeader = (esmClass & ESM_CLASS.USER_DATA_HEADER) !== 0;
  const end = hasHeader ? Math.min(1 + (bytes[0] ?? 0), bytes.length) : 0;
  const { part, locking, single } = readHeader(bytes.subarray(1, end));
  return {
    part: part ?? readSar(tlvs),
    text: { bytes: bytes.subarray(end), dataCoding, locking, single },
  };
}

/** Returns `short_message`, which data_sm does not have. */
export function readShortMessage(pdu: DeliveredPdu): Buffer {
  return pdu.command === 'data_sm' ? Buffer.alloc(0) : pdu.shortMessage;
}

function readHeader(elements: Buffer): { part: Part | null } & Languages {
  const header = { part: null as Part | null, locking: 0, single: 0 };
  let offset = 0;
  while (offset + 2 <= elements.length) {
    const length = elements[offset + 1] ?? 0;
    const value = elements.subarray(offset + 2, offset + 2 + length);
    readElement(header, elements[offset], value);
    offset += 2 + length;
  }
  return header;
}

function readElement(
  header: { part: Part | null } & Languages,
  identifier: number | undefined,
  value: Buffer,
): void {
  if (identifier === REFERENCE_OF_8_BITS && value.length === 3) {
    header.part = checkPart(value[0], value[1], value[2]);
  } else if (identifier === REFERENCE_OF_16_BITS && value.length === 4) {
    header.part = checkPart(value.readUInt16BE(0), value[2], value[3]);
  } else if (identifier === NATIONAL_SINGLE_SHIFT && value.length === 1) {
    header.single = value[0] ?? 0;
  } else if (identifier === NATIONAL_LOCKING_SHIFT && value.length === 1) {
    header.locking = value[0] ?? 0;
  }
}

function readSar(tlvs: DeliveredPdu['tlvs']): Part | null {
  const reference = tlvs.get(TAG.sar_msg_ref_num);
  if (reference?.length !== 2) return null;
  const total = tlvs.get(TAG.sar_total_segments)?.[0];
  return checkPart(reference.readUInt16BE(0), total, tlvs.get(TAG.sar_segment_seqnum)?.[0]);
}

/**
 * A message of one part is complete. A part with an invalid number is treated as a complete
 * message, so that no text is lost.
 */
function checkPart(reference = 0, total = 0, sequence = 0): Part | null {
  return total > 1 && sequence >= 1 && sequence <= total ? { reference, total, sequence } : null;
}
