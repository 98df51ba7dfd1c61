const E164 = /^\+[1-9]\d{6,14}$/;

export function isPhoneNumber(text: string): boolean {
  return E164.test(text);
}

/** A `+` that a client forgot to encode arrives as a space. */
export function readPhoneNumber(text: string): string {
  return text.startsWith(' ') ? `+${text.slice(1)}` : text;
}
