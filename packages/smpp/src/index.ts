export { ESM_CLASS, STATUS, nameStatus, type StatusName } from './commands.ts';
export { type Part, readPart } from './concatenation.ts';
export type { BindFields, MessageFields, MessagePdu, Pdu, PduContent } from './pdu.ts';
export { type Receipt, formatReceipt } from './receipt.ts';
export { type RequestResult, type Session, createSession } from './session.ts';
export { splitText, type TextFields } from './split-text.ts';
export { decodeText } from './text-coding.ts';
