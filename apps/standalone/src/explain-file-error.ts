const FULL = 'is full: free some space, or set DATA_DIR to a folder on another disk';
const CLOSED =
  'may not be written by this user: correct its owner, or set DATA_DIR to another folder';
const NO_FOLDER = 'is not a folder: set DATA_DIR to a folder';

const REASONS = new Map([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EACCES', CLOSED],
  ['EPERM', CLOSED],
  ['EROFS', CLOSED],
  ['EEXIST', NO_FOLDER],
  ['ENOTDIR', NO_FOLDER],
]);

/** Describes why the start failed. Says of an error of the data folder what to correct. */
export function explainFileError(error: unknown, dataDir: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path = '' } = error as NodeJS.ErrnoException;
  // PostgreSQL's programs report errors of files as text.
  const named =
    dataDir !== '' && path.startsWith(dataDir)
      ? REASONS.get(code)
      : /No space left on device/.test(error.message)
        ? FULL
        : /Permission denied|Read-only file system/.test(error.message)
          ? CLOSED
          : undefined;
  return named === undefined ? error.message : `${dataDir} ${named} (${error.message}).`;
}
