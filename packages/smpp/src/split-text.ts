import { ESM_CLASS, TAG } from './commands.ts';
import { createPartHeader } from './concatenation.ts';
import type { MessageFields, Tlvs } from './pdu.ts';
import { DATA_CODING, encodeText } from './text-coding.ts';

/** `udh`: several short messages with a user data header. `payload`: one PDU with `message_payload`. */
export type LongText = 'udh' | 'payload';

export type TextFields = Pick<MessageFields, 'dataCoding' | 'esmClass' | 'shortMessage'> & {
  tlvs: Tlvs;
};

/** The maximum bytes of a short message: of a whole message, and of one part of a long message. */
const ROOM = {
  [DATA_CODING.DEFAULT]: { whole: 160, part: 153 },
  [DATA_CODING.UCS2]: { whole: 140, part: 134 },
};

/** Encodes a text into the fields of one or more PDUs. `reference` connects the parts, 0 to 255. */
export function splitText(text: string, reference: number, longText: LongText): TextFields[] {
  const { dataCoding, units } = encodeText(text);
  const { whole, part } = ROOM[dataCoding === DATA_CODING.UCS2 ? DATA_CODING.UCS2 : 0];
  const bytes = Buffer.concat(units);
  const plain = { dataCoding, esmClass: 0 };
  if (bytes.length <= whole) return [{ ...plain, shortMessage: bytes, tlvs: new Map() }];
  if (longText === 'payload') {
    const tlvs = new Map([[TAG.message_payload as number, bytes]]);
    return [{ ...plain, shortMessage: Buffer.alloc(0), tlvs }];
  }
  const contents = fillParts(units, part);
  return contents.map((content, index) => {
    const header = createPartHeader({ reference, total: contents.length, sequence: index + 1 });
    return {
      dataCoding,
      esmClass: ESM_CLASS.USER_DATA_HEADER,
      shortMessage: Buffer.concat([header, content]),
      tlvs: new Map(),
    };
  });
}

function fillParts(units: readonly Buffer[], room: number): Buffer[] {
  const parts: Buffer[][] = [[]];
  let used = 0;
  for (const unit of units) {
    // An escape pair or a surrogate pair moves to the next part as a whole.
    if (used + unit.length > room) {
      parts.push([]);
      used = 0;
    }
    parts.at(-1)?.push(unit);
    used += unit.length;
  }
  return parts.map((each) => Buffer.concat(each));
}
