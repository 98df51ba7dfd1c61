import { COMMANDS_BY_ID, RESPONSE, STATUS } from './commands.ts';
import { type Kind, type Pdu, layoutOf } from './pdu.ts';

export type Decoded =
  | { ok: true; pdu: Pdu }
  /** `status` is the error with which the receiver answers a request. */
  | { ok: false; commandId: number; sequence: number; status: number };

/** Decodes one whole PDU. Never throws: a peer can send anything. */
export function decodePdu(frame: Buffer): Decoded {
  const commandId = frame.readUInt32BE(4);
  const status = frame.readUInt32BE(8);
  const sequence = frame.readUInt32BE(12);
  const command = COMMANDS_BY_ID.get(commandId);
  if (command === undefined) {
    return { ok: false, commandId, sequence, status: STATUS.ESME_RINVCMDID };
  }
  const fields: Record<string, string | number | Buffer> = {};
  let offset = 16;
  for (const [field, kind] of layoutOf(command)) {
    const isAbsent = offset >= frame.length;
    // Responses with an error may have no body, and some peers omit an empty `message_id`.
    if (isAbsent && commandId >= RESPONSE) {
      fields[field] = '';
      continue;
    }
    const end = findEnd(kind, frame, offset);
    if (end === null && kind === 'string' && commandId >= RESPONSE) {
      // Some peers leave out the closing NUL of the last field.
      fields[field] = frame.toString('latin1', offset);
      offset = frame.length;
      continue;
    }
    if (isAbsent || end === null) {
      return { ok: false, commandId, sequence, status: STATUS.ESME_RINVCMDLEN };
    }
    fields[field] = readField(kind, frame.subarray(offset, end));
    offset = end;
  }
  const tlvs = decodeTlvs(frame.subarray(offset));
  return { ok: true, pdu: { ...fields, command, status, sequence, tlvs } as unknown as Pdu };
}

/** Returns the end of a field, and null if the PDU ends before it. */
function findEnd(kind: Kind, frame: Buffer, offset: number): number | null {
  if (kind === 'string') {
    const nul = frame.indexOf(0, offset);
    return nul === -1 ? null : nul + 1;
  }
  const end = offset + 1 + (kind === 'byte' ? 0 : (frame[offset] ?? 0));
  return end > frame.length ? null : end;
}

function readField(kind: Kind, bytes: Buffer) {
  if (kind === 'byte') return bytes[0] ?? 0;
  return kind === 'string' ? bytes.toString('latin1', 0, bytes.length - 1) : bytes.subarray(1);
}

/** Reads optional parameters. An incomplete last one is dropped. */
function decodeTlvs(bytes: Buffer): Map<number, Buffer> {
  const tlvs = new Map<number, Buffer>();
  let offset = 0;
  while (offset + 4 <= bytes.length) {
    const end = offset + 4 + bytes.readUInt16BE(offset + 2);
    if (end > bytes.length) return tlvs;
    tlvs.set(bytes.readUInt16BE(offset), bytes.subarray(offset + 4, end));
    offset = end;
  }
  return tlvs;
}
