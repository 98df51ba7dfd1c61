import pg from 'pg';
import { isDatabaseUnavailable } from '../sql-error.ts';

/** A migration run can't continue. The message is a sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

const OWN_TABLES = 'make the role of DATABASE_URL the owner of the database and its tables';

/** The action for the operator, by PostgreSQL's error code. */
const ADVICE = new Map([
  ['42501', OWN_TABLES], // insufficient_privilege
  ['3F000', OWN_TABLES], // invalid_schema_name: no schema that the role may use
  ['25006', 'connect to a primary, with a role whose transactions are not read-only'],
]);

/** Converts an error of PostgreSQL or a lost connection to a `MigrationError`. */
export function toMigrationError(error: unknown): unknown {
  if (error instanceof MigrationError) return error;
  if (error instanceof pg.DatabaseError) {
    const advice = ADVICE.get(error.code ?? '');
    const end = advice === undefined ? '.' : `: ${advice}.`;
    return new MigrationError(`PostgreSQL refused: ${error.message}${end}`, { cause: error });
  }
  if (error instanceof Error && isDatabaseUnavailable(error)) {
    const text = `The database no longer responds: ${error.message}.`;
    return new MigrationError(text, { cause: error });
  }
  return error;
}
