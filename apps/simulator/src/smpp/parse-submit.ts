import {
  type MessagePdu,
  type Part,
  type StatusName,
  type TextPart,
  readText,
} from '@switchboard/smpp';
import { refusalOfFrom, refusalOfTo } from '../messages/magic-numbers.ts';
import { isPhoneNumber } from '../phone-number.ts';
import { parseAddress } from './address.ts';
import { MAGIC_REFUSALS } from './smpp-error.ts';

export interface Submit {
  to: string;
  from: string;
  part: Part | null;
  /** Decoded when all parts have arrived. */
  text: TextPart;
  receipt: 'none' | 'always' | 'failure';
}

export function parseSubmit(pdu: MessagePdu): Submit {
  const { part, text } = readText(pdu);
  const wanted = pdu.registeredDelivery & 0x03;
  return {
    to: parseAddress(pdu.destinationTon, pdu.destination),
    from: parseAddress(pdu.sourceTon, pdu.source),
    part,
    text,
    receipt: wanted === 1 ? 'always' : wanted === 2 ? 'failure' : 'none',
  };
}

/** Validates a new message as an SMSC does. Returns null if the message is valid. */
export function findRefusal({ to, from, text }: Submit): StatusName | null {
  if (!isPhoneNumber(to)) return 'ESME_RINVDSTADR';
  if (from === '') return 'ESME_RINVSRCADR';
  if (text.bytes.length === 0) return 'ESME_RINVMSGLEN';
  const magic = refusalOfFrom(from, true) ?? refusalOfTo(to);
  return magic === null ? null : (MAGIC_REFUSALS[magic] ?? 'ESME_RSUBMITFAIL');
}
