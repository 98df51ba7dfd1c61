import type { SkippedCells } from '../file/read-table.ts';

/** Why a row is not imported. */
export type SkipReason =
  | WithoutRow<SkippedCells>
  | { kind: 'numberMissing' }
  | { kind: 'notNumber' | 'otherNotNumber' | 'ambiguousNumber'; text: string }
  | { kind: 'sameNumber'; earlierRow: number }
  | { kind: 'nameHasLines' | 'nameHasQuote' | 'nameTooLong' }
  | { kind: 'controlCharacter' | 'wrongEncoding' }
  | { kind: 'tooManyNumbers' | 'tooManyTags' | 'tooManyFields' | 'tagTooLong' }
  | { kind: 'fieldTooLong'; field: string };

type WithoutRow<Reason> = Reason extends { row: number } ? Omit<Reason, 'row'> : never;

export interface SkippedRow {
  row: number;
  reason: SkipReason;
}
