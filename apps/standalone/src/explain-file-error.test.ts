import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { explainFileError } from './explain-file-error.ts';

test('an error of the data folder says what to correct', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file');
  await writeFile(file, '');
  const failure: unknown = await mkdir(join(file, 'database')).catch((error: unknown) => error);
  expect(explainFileError(failure, file)).toMatch(/^\S+file is not a folder: set DATA_DIR/);
});

test('an error of PostgreSQL about a full disk or missing rights says what to correct', () => {
  const full = new Error(
    'PostgreSQL could not create its data folder: FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device',
  );
  expect(explainFileError(full, '/data')).toMatch(/^\/data is full: free some space, or set/);
  const closed = new Error('could not create directory "/data/cluster.new": Permission denied');
  expect(explainFileError(closed, '/data')).toMatch(/^\/data may not be written by this user:/);
});

test('any other error keeps its message', () => {
  expect(explainFileError(new Error('Port 3000 is in use'), '/data')).toBe('Port 3000 is in use');
});
