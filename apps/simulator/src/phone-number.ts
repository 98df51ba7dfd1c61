const E164 = /^\+[1-9]\d{6,14}$/;

export function isPhoneNumber(text: string): boolean {
  return E164.test(text);
}

/** Restores a `+` that a client did not encode: it arrives as a space. */
export function readPhoneNumber(text: string): string {
  return text.startsWith(' ') ? `+${text.slice(1)}` : text;
}
