/** Separates an identifier from the message that shares it with another one. */
const OWN = '#';

/**
 * Returns the identifier under which a message is stored if its provider gave the same one to another message:
 * within an account, every stored identifier is unique.
 */
export function toOwnSid(sid: string, messageId: string): string {
  return `${sid}${OWN}${messageId}`;
}

/** Returns whether a message shares its identifier with another one. */
export function isOwnSid(sid: string, messageId: string): boolean {
  return sid.endsWith(`${OWN}${messageId}`);
}

/** Returns whether a message holds the identifier, which it may share with another message. */
export function holdsSid(row: { id: string; providerSid: string | null }, sid: string): boolean {
  return row.providerSid === sid || row.providerSid === toOwnSid(sid, row.id);
}

/** Returns the identifier as the provider wrote it. */
export function withoutOwner(sid: string): string {
  return sid.split(OWN, 1)[0] ?? sid;
}

/**
 * Returns the part of an identifier that is equal however a provider writes it: lower case, without zeros at
 * the start. The index `messages_sid_key` and its statement compute the same.
 */
export function toSidKey(sid: string): string {
  return withoutOwner(sid).toLowerCase().replace(/^0+/, '');
}

/**
 * Returns the keys of the identifiers that may be written as `sid` elsewhere: the same text, and the same number
 * in decimal and in hexadecimal.
 */
export function listSidKeys(sid: string): string[] {
  const key = toSidKey(sid);
  const decimal = toDecimalKey(key);
  const hexadecimal = toHexadecimalKey(key);
  return [...new Set([key, decimal ?? key, hexadecimal ?? key])];
}

/** Returns the key of a hexadecimal number in decimal; null if it is not a number. */
export function toDecimalKey(key: string): string | null {
  return /^[\da-f]+$/.test(key) ? BigInt(`0x${key}`).toString() : null;
}

/** Returns the key of a decimal number in hexadecimal; null if it is not a number. */
export function toHexadecimalKey(key: string): string | null {
  return /^\d+$/.test(key) ? BigInt(key).toString(16) : null;
}
