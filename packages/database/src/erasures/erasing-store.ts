import { ERASED } from '@switchboard/core';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { hashedForms } from '../opt-outs/opt-out-forms.ts';
import { type Run, runStatement } from '../run-statement.ts';
import { inShortTransaction } from '../short-transaction.ts';
import {
  type PersonMessages,
  countRemaining,
  eraseMessages,
  listCancelable,
} from './erase-messages.ts';
import { eraseRecords } from './erase-records.ts';
import { resetChunks } from './reset-chunks.ts';

/** An erasure that a worker continues. */
export interface DueErasure extends PersonMessages {
  /** Whether nothing of the person is left here, so that only copies at providers may remain. */
  isErased: boolean;
  /** A second after the request. */
  before: Date;
}

/** The work of an erasure, in short steps that may be repeated. */
export interface ErasingStore {
  /** Takes the erasure that is due for the longest time. Another worker takes it again after a minute. */
  takeDue(): Promise<DueErasure | null>;
  listCancelable(
    erasure: DueErasure,
    limit: number,
  ): Promise<{ id: string; workspaceId: string }[]>;
  addCanceled(erasure: DueErasure, count: number): Promise<void>;
  /** Removes the person from everything but the messages. */
  eraseRecords(erasure: DueErasure): Promise<void>;
  /** Erases messages that have ended. Returns the number. */
  eraseMessages(erasure: DueErasure, limit: number): Promise<number>;
  /**
   * Finishes what is left here if all messages are erased, and returns whether they are. Otherwise, the erasure is due
   * again after `againInMs`.
   */
  finish(erasure: DueErasure, againInMs: number): Promise<boolean>;
  /** Makes the erasure due now, for the worker that takes the next one. */
  release(erasure: DueErasure): Promise<void>;
  /** Ends an erasure of which no copy at a provider is left to remove; it is due again otherwise. */
  close(erasure: DueErasure, againInMs: number): Promise<void>;
}

const TAKE = `
WITH due AS (
  SELECT workspace_id, id FROM erasures WHERE next_step_at <= now()
  ORDER BY next_step_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE erasures e SET next_step_at = now() + interval '1 minute'
FROM due WHERE e.workspace_id = due.workspace_id AND e.id = due.id
RETURNING e.workspace_id AS "workspaceId", e.id AS "erasureId", e.numbers, e.before_id AS "beforeId",
  e.requested_at + interval '1 second' AS before,
  e.erased_at IS NOT NULL AS "isErased"`;

const OF = 'workspace_id = $1::uuid AND id = $2::uuid';

const AGAIN = `
UPDATE erasures SET waiting = :waiting::int, next_step_at = now() + :againInMs::int * interval '1 millisecond'
WHERE workspace_id = :workspaceId::uuid AND id = :erasureId::uuid`;

const FINISH = `
UPDATE erasures SET waiting = 0, numbers = '{}', erased_at = now(), next_step_at = now() WHERE ${OF}`;

const CLOSE = `
UPDATE erasures e SET next_step_at = CASE
  WHEN EXISTS (SELECT FROM message_redactions r WHERE r.workspace_id = e.workspace_id AND r.erasure_id = e.id)
  THEN now() + $3::int * interval '1 millisecond' END
WHERE ${OF}`;

export function createErasingStore({ pool }: Pick<Database, 'pool'>): ErasingStore {
  const keyOf = ({ workspaceId, erasureId }: PersonMessages) => [workspaceId, erasureId];
  const run: Run = (statement, values) => runStatement(pool, statement, values);
  const inTransaction = <Result>(work: (run: Run) => Promise<Result>) =>
    inShortTransaction(pool, work);

  return {
    async takeDue() {
      const [due] = await run<DueErasure & pg.QueryResultRow>(TAKE, []);
      return due ?? null;
    },
    listCancelable: (erasure, limit) => listCancelable(run, erasure, limit),
    async addCanceled(erasure, count) {
      await run(`UPDATE erasures SET canceled = canceled + $3::int WHERE ${OF}`, [
        ...keyOf(erasure),
        count,
      ]);
    },
    eraseRecords: (erasure) =>
      inTransaction((tx) => eraseRecords(tx, withHashes(pool, erasure), ERASED)),
    eraseMessages: (erasure, limit) =>
      inTransaction(async (tx) => {
        const count = await eraseMessages(tx, erasure, { erased: ERASED, limit });
        const values = [...keyOf(erasure), count];
        await tx(`UPDATE erasures SET erased = erased + $3::int WHERE ${OF}`, values);
        return count;
      }),
    finish: (erasure, againInMs) =>
      inTransaction(async (tx) => {
        const { remaining, waiting } = await countRemaining(tx, erasure);
        if (remaining > 0) {
          await tx(...named(AGAIN, { ...erasure, waiting, againInMs }));
          return false;
        }
        await eraseRecords(tx, withHashes(pool, erasure), ERASED);
        await resetChunks(tx, erasure.workspaceId);
        await tx(FINISH, keyOf(erasure));
        return true;
      }),
    async release(erasure) {
      // One that is finished has no next step.
      await run(
        `UPDATE erasures SET next_step_at = now() WHERE ${OF} AND next_step_at IS NOT NULL AND erased_at IS NULL`,
        keyOf(erasure),
      );
    },
    async close(erasure, againInMs) {
      await run(CLOSE, [...keyOf(erasure), againInMs]);
    },
  };
}

function withHashes(pool: pg.Pool, { workspaceId, numbers, before, beforeId }: DueErasure) {
  const hashes = numbers.map((number) => {
    const [hash] = hashedForms(pool, { workspaceId, number });
    if (hash === undefined) throw new Error('the database has no keys for erased numbers');
    return hash;
  });
  return { workspaceId, numbers, before, beforeId, hashes };
}
