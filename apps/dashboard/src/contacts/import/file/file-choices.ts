import type { Encoding } from './encodings.ts';

export const MAX_ROWS = 50_000;

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How a file is read. Null: as detected. */
export interface FileChoices {
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  /** The row with the names of the columns; `none` if the table begins with values. */
  headerRow: number | 'none' | null;
}

export type Detected = { [Choice in keyof FileChoices]: NonNullable<FileChoices[Choice]> };
