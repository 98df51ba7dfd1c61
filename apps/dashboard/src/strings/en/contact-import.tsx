import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// column-mapping.tsx
export const doNotImport = 'Do not import';
export const phoneNumber = 'Phone number';
export const otherNumbers = 'Other numbers';
export const name = 'Name';
export const tags = 'Tags';
export const columns = 'Columns';
export const column = (position: number) => `Column ${formatCount(position)}`;

// import-dialog.tsx
export const fileTooLarge = 'The file is larger than 20 MB. Split it into smaller files.';
export const fileWithoutRows =
  'The file needs a first row with column names, and at least one more row.';
export const importContacts = 'Import contacts';
export const csvFile = 'CSV file';
export const csvFileHint =
  'The first row must contain the column names. Numbers without a country code are treated as numbers in your country.';
export const chooseColumnWithPhoneNumbers = 'Choose the column with the phone numbers.';
export const preview = 'Preview';

// import-preview.tsx
export const existingContacts = 'Existing contacts';
export const updateThem = 'Update them';
export const updateThemHint = 'Replaces the name and the fields, and adds the tags and numbers.';
export const keepThemAsTheyAre = 'Keep them as they are';
export const skippedRows = 'Skipped rows';
export const tooManyTagsTogether = (max: number) =>
  `The contact would have more than ${formatCount(max)} tags.`;
export const tooManyFieldsTogether = (max: number) =>
  `The contact would have more than ${formatCount(max)} fields.`;
export const tooManyNumbersTogether = (max: number) =>
  `The contact would have more than ${formatCount(max)} other numbers.`;
export const numberOfAnother = 'Another contact has one of the numbers.';

// plan-import.ts
export const sameNumberAsRow = (row: number) => `Row ${formatCount(row)} has the same number.`;
export const numberMissing = 'The phone number is missing.';
export const notNumber = (value: string) => `“${value}” is not a phone number.`;
export const severalNumbers = (value: string) =>
  `“${value}” may be several numbers. Write it with + and its country code.`;
export const otherNumberInvalid = 'One of the other numbers is not a phone number.';
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
