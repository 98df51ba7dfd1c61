export { ESM_CLASS, STATUS, TAG, nameStatus, type StatusName } from './commands.ts';
export { type Part, readShortMessage, readText } from './concatenation.ts';
export type {
  BindFields,
  DeliveredPdu,
  MessageFields,
  MessagePdu,
  Pdu,
  PduContent,
} from './pdu.ts';
export { type Receipt, type ReceiptState, formatReceipt, readReceipt } from './receipt.ts';
export { type RequestResult, type Session, createSession } from './session.ts';
export { type LongText, splitText, type TextFields } from './split-text.ts';
export { type TextPart, decodeText, formatTextPart, parseTextPart } from './text-coding.ts';
