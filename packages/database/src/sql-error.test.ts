import pg from 'pg';
import { expect, test } from 'vitest';
import { classifySqlError } from './sql-error.ts';

function failure(code: string | undefined): Error {
  const error = new pg.DatabaseError('refused', 0, 'error');
  error.code = code;
  return error;
}

test.each([
  ['22021', 'bad_row'],
  ['23505', 'bad_row'],
  ['53300', 'not_done'],
  ['57014', 'not_done'],
  // A server may send these just after a commit.
  ['57P01', 'in_doubt'],
  ['57P02', 'in_doubt'],
  [undefined, 'in_doubt'],
] as const)('a statement that ended with %s is classified as %s', (code, kind) => {
  expect(classifySqlError(failure(code))).toBe(kind);
});

test.each([
  ['server conn crashed?', 'in_doubt'],
  ['query_timeout', 'in_doubt'],
  ['server closed the connection', 'in_doubt'],
  ['query_wait_timeout', 'not_done'],
  ['no more connections allowed (max_client_conn)', 'not_done'],
  ['server login has been failing, try again later (server_login_retry)', 'not_done'],
] as const)('a statement that PgBouncer ends with "%s" is classified as %s', (message, kind) => {
  const error = new pg.DatabaseError(message, 0, 'error');
  error.code = '08P01';
  expect(classifySqlError(error)).toBe(kind);
});

test('the outcome of a statement is unknown after its connection was lost', () => {
  expect(classifySqlError(new Error('Connection terminated unexpectedly'))).toBe('in_doubt');
});
