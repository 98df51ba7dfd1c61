const DELIMITERS = [',', ';', '\t'] as const;

/** Parses a table (RFC 4180) that is separated by commas, semicolons or tabs. Skips empty rows. */
export function parseCsv(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const delimiter = findDelimiter(content);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.some((each) => each.trim() !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === delimiter) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && content[at + 1] === '\n') at += 1;
      endRow();
    } else cell += character;
  }
  endRow();
  return rows;
}

/** Returns the delimiter that is most frequent in the first line, outside quotes. */
function findDelimiter(content: string): string {
  const [line = ''] = content.replaceAll(/"[^"]*"/g, '').split(/\r?\n|\r/, 1);
  const count = (delimiter: string): number => line.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}
