import { ESM_CLASS, TAG } from './commands.ts';
import type { MessagePdu } from './pdu.ts';

/** Values of `message_state`, section 5.2.28, with the names that receipts use. */
const STATES = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
} as const;

export type ReceiptState = keyof typeof STATES;

export interface Receipt {
  messageId: string;
  state: ReceiptState;
  /** The network's error; null without one. */
  error: string | null;
}

/** Returns whether a deliver_sm is a delivery receipt rather than a message. */
export function isReceipt({ esmClass }: Pick<MessagePdu, 'esmClass'>): boolean {
  return (esmClass & 0x3c) === ESM_CLASS.RECEIPT;
}

/**
 * Reads a delivery receipt. The optional parameters take precedence over the text of appendix B,
 * whose format differs between SMSCs. Null if it names no message or no state.
 */
export function parseReceipt({ shortMessage, tlvs }: MessagePdu): Receipt | null {
  const text = (tlvs.get(TAG.message_payload) ?? shortMessage).toString('latin1');
  const messageId = readString(tlvs.get(TAG.receipted_message_id)) ?? /\bid:(\S+)/i.exec(text)?.[1];
  const stateCode = tlvs.get(TAG.message_state)?.[0];
  const state = nameState(stateCode) ?? parseState(/\bstat:(\w+)/i.exec(text)?.[1]);
  if (messageId === undefined || state === null) return null;
  const network = tlvs.get(TAG.network_error_code);
  const error =
    network?.length === 3 ? String(network.readUInt16BE(1)) : /\berr:(\w+)/i.exec(text)?.[1];
  return { messageId, state, error: error === undefined || /^0*$/.test(error) ? null : error };
}

/** Creates the text and the optional parameters of a receipt. */
export function formatReceipt(
  { messageId, state, error }: Receipt,
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

function readString(value: Buffer | undefined): string | undefined {
  const text = value?.toString('latin1').replace(/\0.*$/s, '');
  return text === '' ? undefined : text;
}

function nameState(code: number | undefined): ReceiptState | null {
  const found = Object.entries(STATES).find(([, value]) => value === code);
  return found === undefined ? null : (found[0] as ReceiptState);
}

function parseState(name: string | undefined): ReceiptState | null {
  const upper = name?.toUpperCase() ?? '';
  return Object.hasOwn(STATES, upper) ? (upper as ReceiptState) : null;
}

/** YYMMDDhhmm, in UTC. */
function formatTime(time: Date): string {
  return time.toISOString().replaceAll(/\D/g, '').slice(2, 12);
}
