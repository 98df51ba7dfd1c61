const MANY_DIGITS = /\d{16}/;
/** A string, or a number outside strings. A string is matched only to be skipped. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const INTEGER = /^-?\d+$/;

/**
 * Parses JSON from outside. A whole number that JavaScript would round is
 * returned as a string of its digits, because a rounded identifier could belong to another message.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MANY_DIGITS.test(text)) return value;
  return JSON.parse(
    text.replaceAll(TOKEN, (token) =>
      INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    ),
  );
}
