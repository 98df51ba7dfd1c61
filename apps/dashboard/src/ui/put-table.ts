import { escapeFormula } from '@switchboard/contracts';

type Table = readonly (readonly string[])[];

/** The part of a `DataTransfer` that is used. */
interface Clipboard {
  setData(type: string, text: string): void;
}

/** Puts a table on the clipboard as spreadsheets read it: cells with tabs between them, and HTML. */
export function putTable(clipboard: Clipboard, rows: Table): void {
  const safe = rows.map((cells) => cells.map(toSafeCell));
  clipboard.setData('text/plain', toText(safe));
  clipboard.setData('text/html', toHtml(safe));
}

/** A spreadsheet would execute a formula in a text. It keeps a number in groups, such as `+1 415 555 0130`, as it is. */
const toSafeCell = (cell: string): string =>
  /^\+\d[\d ]*$/.test(cell) ? cell : escapeFormula(cell);

const toText = (rows: Table): string => rows.map((cells) => cells.map(quote).join('\t')).join('\n');

const quote = (cell: string): string =>
  /[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

function toHtml(rows: Table): string {
  const lines = rows.map((cells) => `<tr>${cells.map(toHtmlCell).join('')}</tr>`);
  return `<table><tbody>${lines.join('')}</tbody></table>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const toHtmlCell = (cell: string): string =>
  `<td>${cell.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign).replaceAll(/\r\n|\r|\n/g, '<br>')}</td>`;
