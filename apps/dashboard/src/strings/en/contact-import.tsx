import type { ReactNode } from 'react';
import type { Encoding } from '../../contacts/import/file/encodings.ts';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// column-mapping.tsx
export const doNotImport = 'Do not import';
export const phoneNumber = 'Phone number';
export const otherNumbers = 'Other numbers';
export const name = 'Name';
export const firstName = 'First name';
export const lastName = 'Last name';
export const tags = 'Tags';
export const columns = 'Columns';
export const column = (position: number) => `Column ${formatCount(position)}`;
export const emptyColumns = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} column has no values.`,
    other: `${formatCount(count)} columns have no values.`,
  });
export const columnsLeftOut = ({ max, names }: { max: number; names: string }) =>
  `A contact has at most ${formatCount(max)} fields, so these columns will not be imported: ${names}.`;

// import-dialog.tsx
export const fileTooLarge = 'The file is larger than 20 MB. Split it into smaller files.';
export const fileUnreadable =
  'The file cannot be read. Close it in other programs, and choose it again.';
export const importContacts = 'Import contacts';
export const csvFile = 'CSV file';
export const csvFileHint =
  'Choose a table that a spreadsheet or another program has saved as CSV. Numbers without + and a country code are read with the country of the workspace.';
export const readingFile = 'Reading the file…';
export const chooseColumnWithPhoneNumbers = 'Choose the column with the phone numbers.';
export const preview = 'Preview';

// file-problem.ts
export const fileWithoutRows =
  'The file needs a row with column names, and at least one row with a contact.';
export const fileWithOpenQuotes = (row: number) =>
  `No row can be read, because quotation marks are not closed: the first one in row ${formatCount(row)}.`;
export const fileIsWorkbook =
  'This is a workbook, not a CSV file. Open it in the spreadsheet program, save it as “CSV UTF-8” (File, Save as or Export), and choose that file.';
export const fileIsArchive =
  'This is a compressed file. Extract it, and choose the CSV file in it.';
export const fileIsVcard =
  'This file contains vCards. Import it into Google Contacts or another address book, export it there as CSV, and choose that file.';
export const fileIsPdf =
  'This is a PDF document. Export the table from its program as CSV, and choose that file.';
export const fileIsWebPage =
  'This is a web page or an XML file. Open it in a spreadsheet program, save it as “CSV UTF-8”, and choose that file.';

// file-options.tsx
export const encoding = 'Encoding';
export const encodingHint = 'If characters look wrong below, choose another encoding.';
export const delimiter = 'Separator';
export const headerRow = 'Column names';
export const noHeaderRow = 'No column names';
export const inRow = (row: number) => `In row ${formatCount(row)}`;
export const comma = 'Comma';
export const semicolon = 'Semicolon';
export const tab = 'Tab';
export const verticalBar = 'Vertical bar';
export const encodingNames: Record<Encoding, string> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16 LE)',
  'utf-16be': 'Unicode (UTF-16 BE)',
  'windows-1252': 'Western Europe (Windows-1252)',
  macintosh: 'Western Europe (Mac Roman)',
  'windows-1250': 'Central Europe (Windows-1250)',
  'iso-8859-2': 'Central Europe (ISO 8859-2)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  ibm866: 'Cyrillic (DOS 866)',
  'x-mac-cyrillic': 'Cyrillic (Mac)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-874': 'Thai (Windows-874)',
  shift_jis: 'Japanese (Shift_JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  'iso-2022-jp': 'Japanese (ISO-2022-JP)',
  'euc-kr': 'Korean (EUC-KR)',
  gb18030: 'Chinese, simplified (GB18030)',
  big5: 'Chinese, traditional (Big5)',
};

// import-preview.tsx
export const existingContacts = 'Existing contacts';
export const updateThem = 'Update them';
export const updateThemHint = 'Replaces the name and the fields, and adds the tags and numbers.';
export const keepThemAsTheyAre = 'Keep them as they are';
export const skippedRows = 'Skipped rows';
export const readingRows = ({ done, total }: { done: number; total: number }) =>
  `Reading row ${formatCount(done)} of ${formatCount(total)}…`;
export const checkingContacts = ({ done, total }: { done: number; total: number }) =>
  `Checking contact ${formatCount(done)} of ${formatCount(total)}…`;
export const waitingForServer =
  'The server limits the number of requests. The import continues automatically.';
export const stopImport = 'Stop';
export const importStopped = ({ sent, total }: { sent: number; total: number }) =>
  `Stopped after ${formatCount(sent)} of ${formatCount(total)} contacts. Import the file again to add the others.`;
export const tooManyTagsTogether = (max: number) =>
  `The contact would have more than ${formatCount(max)} tags.`;
export const tooManyFieldsTogether = (max: number) =>
  `The contact would have more than ${formatCount(max)} fields.`;
export const tooManyNumbersTogether = (max: number) =>
  `The contact would have more than ${formatCount(max)} other numbers.`;
export const numberOfAnother = 'Another contact has one of the numbers.';
export const contactInvalid = 'The server does not accept this contact.';

// ambiguous-field.tsx
export const ambiguousNumbers = 'Ambiguous numbers';
export const ambiguousNumbersHint =
  'They have no plus sign, which spreadsheets remove, and begin with a country code.';
export const skipThem = 'Skip these rows';
export const withCountryCode = 'They have a country code';
export const numbersOf = (country: string) => `They are numbers of ${country}`;

// number-readings.tsx
export const numbers = 'Numbers';
export const numbersHint = (changed: number) =>
  plural(changed, {
    one: `${formatCount(changed)} number is changed to the international format. Check it.`,
    other: `${formatCount(changed)} numbers are changed to the international format. Check them.`,
  });
export const moreNumbers = (count: number) =>
  plural(count, {
    one: `and ${formatCount(count)} more number`,
    other: `and ${formatCount(count)} more numbers`,
  });

// describe-skip.ts
export const openQuote =
  'A quotation mark is not closed, so the row may contain other rows. Correct it in the file.';
export const nearOpenQuote = (row: number) =>
  `The open quotation mark of row ${formatCount(row)} may belong to this row.`;
export const moreCells = ({ cells, columns: count }: { cells: number; columns: number }) =>
  `The row has ${formatCount(cells)} cells, but the table has ${formatCount(count)} columns. Enclose cells that contain the separator in quotation marks.`;
export const nameHasLines =
  'The name has several lines. Check the quotation marks of the row, or write the name on one line.';
export const nameHasQuote = 'The name has an unmatched quotation mark.';
export const controlCharacter = 'The row has a character that cannot be stored (NUL).';
export const wrongEncoding =
  'The row has bytes that are invalid in this encoding. Choose another encoding.';
export const sameNumberAsRow = (row: number) => `Row ${formatCount(row)} has the same number.`;
export const numberMissing = 'The phone number is missing.';
export const notNumber = (value: string) => `“${value}” is not a phone number.`;
export const severalNumbers = (value: string) =>
  `“${value}” is ambiguous. Write it with + and the country code.`;
export const otherNumberInvalid = (value: string) =>
  `“${value}”, one of the other numbers, is not a phone number.`;
export const nameTooLong = (max: number) =>
  `The name has more than ${formatCount(max)} characters.`;
export const tooManyNumbers = (max: number) =>
  `The contact has more than ${formatCount(max)} other numbers.`;
export const tooManyTags = (max: number) => `The contact has more than ${formatCount(max)} tags.`;
export const tagTooLong = (max: number) => `A tag has more than ${formatCount(max)} characters.`;
export const tooManyFields = (max: number) =>
  `The contact has more than ${formatCount(max)} fields.`;
export const fieldTooLong = (field: string) => `The field “${field}” is too long.`;

export const importColumnAs = (column: string) => `Import the column ${column} as`;
export const fieldNamed = (name: string) => `Field “${name}”`;
export const tooManyRows = (max: number) =>
  `The file has more than ${formatCount(max)} rows. Split it into smaller files.`;
export const skippedRow = ({ row, place, reason }: SkippedRow) => (
  <>
    {place(`Row ${formatCount(row)}:`)} {reason}
  </>
);
export const moreRows = (count: number) =>
  plural(count, {
    one: `and ${formatCount(count)} more row`,
    other: `and ${formatCount(count)} more rows`,
  });
export const contactsSent = ({ sent, total }: { sent: number; total: number }) =>
  plural(total, {
    one: `${formatCount(sent)} of ${formatCount(total)} contact sent…`,
    other: `${formatCount(sent)} of ${formatCount(total)} contacts sent…`,
  });
export const importCount = (count: number) =>
  plural(count, {
    one: `Import ${formatCount(count)} contact`,
    other: `Import ${formatCount(count)} contacts`,
  });

/** Before the import: `3 contacts to add, 1 to update, 2 rows skipped.` */
export const importPlan = ({ created, updated, kept, skipped }: ImportCounts) =>
  listParts([
    plural(created, {
      one: `${formatCount(created)} contact to add`,
      other: `${formatCount(created)} contacts to add`,
    }),
    updated > 0 && `${formatCount(updated)} to update`,
    ...unchanged({ kept, skipped }),
  ]);

/** After the import: `3 contacts added, 1 updated, 2 rows skipped.` */
export const importOutcome = ({ created, updated, kept, skipped }: ImportCounts) =>
  listParts([
    plural(created, {
      one: `${formatCount(created)} contact added`,
      other: `${formatCount(created)} contacts added`,
    }),
    updated > 0 && `${formatCount(updated)} updated`,
    ...unchanged({ kept, skipped }),
  ]);

interface ImportCounts {
  created: number;
  updated: number;
  kept: number;
  /** Rows. */
  skipped: number;
}

interface SkippedRow {
  row: number;
  place(text: string): ReactNode;
  reason: ReactNode;
}

const unchanged = ({ kept, skipped }: Pick<ImportCounts, 'kept' | 'skipped'>) => [
  kept > 0 && `${formatCount(kept)} kept`,
  skipped > 0 &&
    plural(skipped, {
      one: `${formatCount(skipped)} row skipped`,
      other: `${formatCount(skipped)} rows skipped`,
    }),
];

const listParts = (parts: readonly (string | false)[]) =>
  `${parts.filter((part) => part !== false).join(', ')}.`;
