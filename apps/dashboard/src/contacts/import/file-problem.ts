import * as strings from '#strings/contact-import';
import { MAX_ROWS } from './file/file-choices.ts';
import type { FileProblem } from './file/read-table.ts';

const PROBLEMS: Record<Exclude<FileProblem['kind'], 'openQuotes'>, string> = {
  empty: strings.fileWithoutRows,
  tooManyRows: strings.tooManyRows(MAX_ROWS),
  workbook: strings.fileIsWorkbook,
  archive: strings.fileIsArchive,
  vcard: strings.fileIsVcard,
  pdf: strings.fileIsPdf,
  webPage: strings.fileIsWebPage,
};

/** Explains to the person why a file cannot be imported, and what to do. */
export const describeProblem = (problem: FileProblem): string =>
  problem.kind === 'openQuotes' ? strings.fileWithOpenQuotes(problem.row) : PROBLEMS[problem.kind];
