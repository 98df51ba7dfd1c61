/** Kinds of files that people choose in place of a table of text. */
export type OtherFileType = 'workbook' | 'archive' | 'vcard' | 'pdf' | 'webPage';

const ZIP = 'PK\u0003\u0004';
/** The compound files of Excel until 2003. */
const COMPOUND = '\u00D0\u00CF\u0011\u00E0';
const READ_BYTES = 65_536;

/** Recognizes a file that is no table of text by its content, because its name may be wrong. */
export function findFileType(bytes: Uint8Array<ArrayBuffer>): OtherFileType | null {
  const start = toLatin1(bytes.subarray(0, READ_BYTES));
  if (start.startsWith(COMPOUND)) return 'workbook';
  if (start.startsWith(ZIP)) {
    // The names of the entries are at the end; an OpenDocument file begins with its type.
    const names = `${start}${toLatin1(bytes.subarray(-READ_BYTES))}`;
    return /xl\/|opendocument\.spreadsheet|Index\/(Document|Tables)/.test(names)
      ? 'workbook'
      : 'archive';
  }
  const text = start
    .replaceAll('\0', '')
    .replace(/^(\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)?\s*/, '');
  if (text.startsWith('%PDF')) return 'pdf';
  if (/^BEGIN:VCARD/i.test(text)) return 'vcard';
  return /^<(\?xml|!doctype|html|table|head|meta|body)/i.test(text) ? 'webPage' : null;
}

const toLatin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};
