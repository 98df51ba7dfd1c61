import { unescapeFormula } from '@switchboard/contracts';

/** The text in a formula, with which programs keep the zeros of a number: `="0151…"`. */
const TEXT_FORMULA = /^="(.*)"$/s;
/** Facebook writes `p:+1…`, some address books `tel:+1…`. */
const PREFIX = /^(p|tel|phone|mobile|whatsapp):\s*/i;
/** Google separates several values in a cell by three colons. */
const SEPARATOR = /:::|[;,\n|]|\s\/\s/;

/** Returns the text of a cell, without what a spreadsheet program adds to it. */
export function cleanCell(cell: string): string {
  const text = cell.trim();
  return (TEXT_FORMULA.exec(text)?.[1] ?? unescapeFormula(text)).trim();
}

/** Returns the texts of the phone numbers in a cell. */
export function splitNumbers(cell: string): string[] {
  return cleanCell(cell)
    .split(SEPARATOR)
    .map((each) => each.trim().replace(PREFIX, '').trim())
    .filter((each) => each !== '');
}
