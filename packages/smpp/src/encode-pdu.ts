import { COMMAND_IDS } from './commands.ts';
import { layoutOf, type PduContent, type Tlvs } from './pdu.ts';

/** Encodes a PDU, section 3.2. Throws a `RangeError` if the short message is longer than 254 bytes. */
export function encodePdu(pdu: PduContent, sequence: number): Buffer {
  const { command, status = 0, tlvs } = pdu;
  const header = Buffer.alloc(16);
  header.writeUInt32BE(COMMAND_IDS[command], 4);
  header.writeUInt32BE(status, 8);
  header.writeUInt32BE(sequence, 12);
  const fields = pdu as unknown as Readonly<Record<string, string | number | Buffer>>;
  // A response that reports an error has no body, section 4.4.2.
  const layout = status === 0 ? layoutOf(command) : [];
  const frame = Buffer.concat([
    header,
    ...layout.map(([field]) => encodeField(fields[field])),
    ...(tlvs === undefined ? [] : encodeTlvs(tlvs)),
  ]);
  frame.writeUInt32BE(frame.length, 0);
  return frame;
}

function encodeField(value: string | number | Buffer | undefined): Buffer {
  if (typeof value === 'number') return Buffer.from([value]);
  if (typeof value === 'string') return Buffer.from(`${value.replaceAll('\0', '')}\0`, 'latin1');
  const bytes = value ?? Buffer.alloc(0);
  if (bytes.length > 254) throw new RangeError(`The short message has ${bytes.length} bytes`);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function encodeTlvs(tlvs: Tlvs): Buffer[] {
  return [...tlvs].map(([tag, value]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(tag, 0);
    head.writeUInt16BE(value.length, 2);
    return Buffer.concat([head, value]);
  });
}
