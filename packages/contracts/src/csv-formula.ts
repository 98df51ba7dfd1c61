/**
 * The first characters of a formula, including whitespace that spreadsheets remove before they
 * execute it.
 */
const FORMULA = String.raw`[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]`;
const UNSAFE = new RegExp(`^'*${FORMULA}`);
const ESCAPED = new RegExp(`^''*${FORMULA}`);

/**
 * Puts an apostrophe before a text that a spreadsheet would execute as a formula, and before a text
 * that looks escaped already, so that `unescapeFormula` restores every text.
 */
export function escapeFormula(text: string): string {
  return UNSAFE.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `escapeFormula` added. */
export function unescapeFormula(text: string): string {
  return ESCAPED.test(text) ? text.slice(1) : text;
}
