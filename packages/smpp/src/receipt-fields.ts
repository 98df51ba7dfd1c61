import { TAG } from './commands.ts';
import { readText } from './concatenation.ts';
import type { DeliveredPdu } from './pdu.ts';
import { decodeText } from './text-coding.ts';

/** The fields of a receipt's text that are read. */
export interface ReceiptFields {
  id?: string | undefined;
  stat?: string | undefined;
  err?: string | undefined;
  /** How many fields of appendix B the text has. */
  count: number;
  /** The text before the part of the message that it repeats. */
  head: string;
}

const NAMES = 'id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat|err|text';

/** A name, which may be quoted, and a value, which blanks may precede and quotes may surround. */
const FIELD = new RegExp(
  String.raw`(?<!\w)["']?(${NAMES})["']?\s*[:=]\s*(?!["']?(?:${NAMES})["']?\s*[:=])(?:"([^"]*)"|'([^']*)'|([^\s,;"'}]*))`,
  'gi',
);
const TEXT = /(?<!\w)["']?text["']?\s*[:=]/i;

/** Reads the text of a receipt, section B of SMPP 3.4: the fields in any order and with any separators. */
export function readReceiptFields(pdu: DeliveredPdu): ReceiptFields {
  const read = listTexts(pdu).map(parseFields);
  return read.find(isReceiptText) ?? read[0] ?? { count: 0, head: '' };
}

/**
 * The text as ASCII and as `data_coding` says. Some SMSCs copy the coding of the message to a receipt in ASCII,
 * and an underscore in an id has another place in GSM-7. A text in UCS-2 has NULs.
 */
function listTexts(pdu: DeliveredPdu): string[] {
  const { text } = readText(pdu);
  const payload = pdu.tlvs.get(TAG.message_payload);
  const texts = [toAscii(text.bytes), decodeText([text])];
  const ordered = text.bytes.includes(0) ? texts.toReversed() : texts;
  return payload === undefined ? ordered : [...ordered, toAscii(payload)];
}

function toAscii(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\0', '').replaceAll('\x11', '_');
}

/** The text of the message comes last, and may look like a field. */
function parseFields(text: string): ReceiptFields {
  const end = TEXT.exec(text)?.index ?? text.length;
  const head = parse(text.slice(0, end));
  return isReceiptText(head) ? head : { ...parse(text), head: head.head };
}

function isReceiptText({ id, stat }: ReceiptFields): boolean {
  return id !== undefined || stat !== undefined;
}

function parse(text: string): ReceiptFields {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(FIELD)) {
    const value = (double ?? single ?? bare ?? '').trim();
    const key = name.toLowerCase();
    if (value !== '' && !found.has(key)) found.set(key, value);
  }
  return {
    id: found.get('id'),
    stat: found.get('stat'),
    err: found.get('err'),
    count: found.size,
    head: text,
  };
}
