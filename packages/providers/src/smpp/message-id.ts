import { toDecimalKey, toHexadecimalKey, toSidKey } from '@switchboard/core';

import type { SmppSettings } from './credentials.ts';

/** An identifier has at most 64 characters, section 5.2.23. */
const ID = /^[\x21-\x7e]{1,64}$/;

/** Returns the identifier of a message in a response or a receipt; null if it is not readable. */
export function readMessageId(id: string): string | null {
  return ID.test(id) ? id : null;
}

/**
 * Returns the key of the identifier in the response for one in the receipt. Some SMSCs write identifiers in
 * hexadecimal in the response and in decimal in the receipt, or the reverse.
 */
export function toExpectedKey(id: string, messageIds: SmppSettings['messageIds']): string {
  const key = toSidKey(id);
  switch (messageIds) {
    case 'same':
    case 'decimal':
      return key;
    case 'hex_in_response':
      return toHexadecimalKey(key) ?? key;
    case 'hex_in_receipt':
      return toDecimalKey(key) ?? key;
  }
}
