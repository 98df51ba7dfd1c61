/**
 * What a spreadsheet may remove before it decides whether a cell is a formula: whitespace of any
 * script, and characters that have no width.
 */
const REMOVED = String.raw`[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** The first characters of a formula, with their compatibility forms: full-width, small and raised. */
const SIGN = String.raw`[=\uFF1D\uFE66\u207C\u208C+\uFF0B\uFE62\uFB29\u207A\u208A\-\uFF0D\uFE63\u2212\u207B\u208B@\uFF20\uFE6B]`;
/** Some spreadsheets split a cell at a leading tab or line break, quoted or not. */
const FORMULA = `(?:[\\t\\r\\n]|${REMOVED}*${SIGN})`;
const UNSAFE = new RegExp(`^'*${FORMULA}`, 'u');
const ESCAPED = new RegExp(`^''*${FORMULA}`, 'u');

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
