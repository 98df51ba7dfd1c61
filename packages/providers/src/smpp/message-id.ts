import type { SmppSettings } from './credentials.ts';

/** An identifier has at most 64 characters, section 5.2.23. */
const ID = /^[\x21-\x7e]{1,64}$/;

/**
 * Returns the identifier of a message in a response; null if it has none. Some SMSCs write identifiers
 * in hexadecimal in the response and in decimal in the receipt, or the reverse, and some pad one of
 * them with zeros. For these, `message_ids` of the account converts both to decimal.
 */
export function readResponseId(id: string, settings: Pick<SmppSettings, 'messageIds'>) {
  return toMessageId(id, settings.messageIds, 'hex_in_response');
}

/** Returns the identifier of a message in a receipt, in the same form; null if it has none. */
export function readReceiptId(id: string, settings: Pick<SmppSettings, 'messageIds'>) {
  return toMessageId(id, settings.messageIds, 'hex_in_receipt');
}

function toMessageId(
  id: string,
  messageIds: SmppSettings['messageIds'],
  hexIn: SmppSettings['messageIds'],
): string | null {
  if (!ID.test(id)) return null;
  if (messageIds === 'same') return id;
  if (messageIds === hexIn) return /^[\da-f]+$/i.test(id) ? BigInt(`0x${id}`).toString() : id;
  return /^\d+$/.test(id) ? BigInt(id).toString() : id;
}
