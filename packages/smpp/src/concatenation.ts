import { ESM_CLASS, TAG } from './commands.ts';
import type { MessagePdu } from './pdu.ts';

/** The part of a long message that a PDU contains. `sequence` counts from 1. */
export interface Part {
  reference: number;
  total: number;
  sequence: number;
}

export interface PartContent {
  /** Null for a message in one part. */
  part: Part | null;
  /** The text, without the user data header. */
  bytes: Buffer;
}

const REFERENCE_OF_8_BITS = 0x00;
const REFERENCE_OF_16_BITS = 0x08;

/** Creates the user data header of a part (3GPP TS 23.040, section 9.2.3.24). */
export function createPartHeader({ reference, total, sequence }: Part): Buffer {
  return Buffer.from([5, REFERENCE_OF_8_BITS, 3, reference & 0xff, total, sequence]);
}

/** Reads the part of a message from its user data header or from the `sar_` parameters. */
export function readPart({ esmClass, shortMessage, tlvs }: MessagePdu): PartContent {
  const content = shortMessage.length > 0 ? shortMessage : tlvs.get(TAG.message_payload);
  const bytes = content ?? shortMessage;
  if ((esmClass & ESM_CLASS.USER_DATA_HEADER) === 0) {
    return { part: readSar(tlvs), bytes };
  }
  const end = Math.min(1 + (bytes[0] ?? 0), bytes.length);
  return { part: readHeader(bytes.subarray(1, end)), bytes: bytes.subarray(end) };
}

function readHeader(elements: Buffer): Part | null {
  let offset = 0;
  while (offset + 2 <= elements.length) {
    const identifier = elements[offset];
    const length = elements[offset + 1] ?? 0;
    const value = elements.subarray(offset + 2, offset + 2 + length);
    if (identifier === REFERENCE_OF_8_BITS && value.length === 3) {
      return checkPart(value[0], value[1], value[2]);
    }
    if (identifier === REFERENCE_OF_16_BITS && value.length === 4) {
      return checkPart(value.readUInt16BE(0), value[2], value[3]);
    }
    offset += 2 + length;
  }
  return null;
}

function readSar(tlvs: MessagePdu['tlvs']): Part | null {
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
