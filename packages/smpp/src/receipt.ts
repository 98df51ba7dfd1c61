import { ESM_CLASS, TAG } from './commands.ts';
import type { DeliveredPdu } from './pdu.ts';
import { type ReceiptFields, readReceiptFields } from './receipt-fields.ts';

/** Values of `message_state`, with the names that receipts use. 0 and 9 are those of SMPP 5.0. */
const STATES = {
  SCHEDULED: 0,
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
  SKIPPED: 9,
} as const;

export type ReceiptState = keyof typeof STATES;

/** Other words for a state that SMSCs are known to write. */
const WORDS: Readonly<Record<string, ReceiptState>> = {
  BUFFRED: 'ENROUTE',
  BUFFERED: 'ENROUTE',
  ACCEPTED: 'ACCEPTD',
  ACKED: 'ACCEPTD',
  DELIVERED: 'DELIVRD',
  UNDELIVERABLE: 'UNDELIV',
  UNDELIVERED: 'UNDELIV',
  FAILED: 'UNDELIV',
  REJECTED: 'REJECTD',
};

export interface Receipt {
  /** Null if the receipt does not name its message. */
  messageId: string | null;
  /** Null if the receipt has no state, or an unknown one. */
  state: ReceiptState | null;
  /** The state as the SMSC wrote it, or the receipt's other fields if it has no state. */
  words: string;
  /** The network's error; null without one. */
  error: string | null;
}

const MAX_WORDS = 100;

/**
 * Reads a delivery receipt; null if the PDU is a message. A receipt is one by its `esm_class`, or it names
 * a message in `receipted_message_id` and has a state. The optional parameters take precedence over the text
 * of appendix B, whose format differs between SMSCs.
 */
export function readReceipt(pdu: DeliveredPdu): Receipt | null {
  const { tlvs } = pdu;
  const fields = readReceiptFields(pdu);
  const receiptedId = readString(tlvs.get(TAG.receipted_message_id));
  const code = readState(tlvs.get(TAG.message_state));
  const isMarked = isReceipt(pdu);
  if (!isMarked && (receiptedId === null || !hasState(code, fields))) return null;
  const network = tlvs.get(TAG.network_error_code);
  const error = network?.length === 3 ? String(network.readUInt16BE(1)) : fields.err;
  return {
    messageId: receiptedId ?? fields.id ?? null,
    ...chooseState(code, fields),
    error: error === undefined || /^0*$/.test(error) ? null : shorten(error),
  };
}

/** A delivery receipt or an intermediate notification, section 5.2.12. */
function isReceipt({ esmClass }: DeliveredPdu): boolean {
  return (esmClass & 0x3c) === ESM_CLASS.RECEIPT || (esmClass & ESM_CLASS.INTERMEDIATE) !== 0;
}

/**
 * Some SMSCs add `receipted_message_id` to every message. A text is a receipt only with a known state, or with
 * most fields of a receipt.
 */
function hasState(code: number | null, fields: ReceiptFields): boolean {
  return (
    code !== null ||
    parseState(fields.stat) !== null ||
    (fields.stat !== undefined && fields.count > 3)
  );
}

function chooseState(code: number | null, fields: ReceiptFields): Pick<Receipt, 'state' | 'words'> {
  const written = parseState(fields.stat);
  const coded = code === null ? null : nameState(code);
  if (coded !== null && coded !== written) return { state: coded, words: coded };
  const words = fields.stat ?? (code === null ? fields.head : `message_state ${code}`);
  return { state: written, words: shorten(words) };
}

function shorten(words: string): string {
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.slice(0, MAX_WORDS).trim().toWellFormed();
}

function parseState(word: string | undefined): ReceiptState | null {
  if (word === undefined) return null;
  if (/^\d{1,3}$/.test(word)) return nameState(Number(word));
  const letters = word.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return Object.hasOwn(STATES, letters) ? (letters as ReceiptState) : (WORDS[letters] ?? null);
}

function nameState(code: number): ReceiptState | null {
  const found = Object.entries(STATES).find(([, value]) => value === code);
  return found === undefined ? null : (found[0] as ReceiptState);
}

/** `message_state` has one byte. Some SMSCs write a digit in ASCII, or a longer number. */
function readState(value: Buffer | undefined): number | null {
  if (value === undefined || value.length === 0) return null;
  const text = readString(value);
  return text !== null && /^\d+$/.test(text) ? Number(text) : (value.at(-1) ?? null);
}

function readString(value: Buffer | undefined): string | null {
  const text = value?.toString('latin1').replace(/\0.*$/s, '').trim();
  return text === undefined || text === '' ? null : text;
}

/** Creates the text and the optional parameters of a receipt. */
export function formatReceipt(
  { messageId, state, error }: { messageId: string; state: ReceiptState; error: string | null },
  times: { submittedAt: Date; doneAt: Date },
): { shortMessage: Buffer; tlvs: Map<number, Buffer> } {
  const delivered = state === 'DELIVRD' ? '001' : '000';
  const text =
    `id:${messageId} sub:001 dlvrd:${delivered} submit date:${formatTime(times.submittedAt)} ` +
    `done date:${formatTime(times.doneAt)} stat:${state} err:${error ?? '000'} text:`;
  return {
    shortMessage: Buffer.from(text, 'latin1'),
    tlvs: new Map<number, Buffer>([
      [TAG.receipted_message_id, Buffer.from(`${messageId}\0`, 'latin1')],
      [TAG.message_state, Buffer.from([STATES[state]])],
    ]),
  };
}

/** YYMMDDhhmm, in UTC. */
function formatTime(time: Date): string {
  return time.toISOString().replaceAll(/\D/g, '').slice(2, 12);
}
