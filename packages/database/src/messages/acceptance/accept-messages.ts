import { AppError } from '@switchboard/core';
import type pg from 'pg';
import type { EventWriter } from '../events/event-numbering.ts';
import { runStatement } from '../../run-statement.ts';
import {
  classifySqlError,
  DatabaseUnavailableError,
  isBlocked,
  isDatabaseUnavailable,
} from '../../sql-error.ts';
import { createIsolatedBatch } from '../../isolated-batch.ts';
import { toFormsValue } from '../../opt-outs/opt-out-forms.ts';
import type { AcceptedMessage } from './accepted-message.ts';
import { type EncodedMessage, createEncodeText } from './encode-text.ts';
import { type AcceptResult, type StoreOptions, insertMessages } from './insert-messages.ts';

/** Finds which messages of a batch in doubt are stored. Rejects if the database does not respond. */
async function findStored(
  pool: pg.Pool,
  messages: readonly AcceptedMessage[],
): Promise<Map<string, number>> {
  const rows = await runStatement<{ id: string; seq: number }>(
    pool,
    `SELECT e.message_id AS id, min(e.seq) AS seq FROM unnest($1::uuid[], $2::uuid[]) AS m(workspace_id, id)
     JOIN message_events e ON e.workspace_id = m.workspace_id AND e.message_id = m.id
     GROUP BY e.message_id`,
    [messages.map((m) => m.workspaceId), messages.map((m) => m.id)],
  );
  return new Map(rows.map((row) => [row.id, row.seq]));
}

const UNAVAILABLE = 'The database is not available; nothing was stored';
const NOT_STORED = 'The message could not be stored';
const IN_DOUBT =
  'The message may have been stored; retry with the same Idempotency-Key to find out safely';

function unavailable(cause: unknown): AppError {
  return new AppError('service_unavailable', UNAVAILABLE, { cause, retryAfterSeconds: 1 });
}

type Attempted = AcceptResult | { kind: 'failed'; error: AppError };

/**
 * Returns a result for each message; a bad row fails alone. Throws only if another transaction blocked
 * the statement, and then nothing is stored.
 */
async function storeBatch(
  pool: pg.Pool,
  messages: readonly EncodedMessage[],
  options: StoreOptions,
): Promise<Attempted[]> {
  try {
    return await insertMessages(
      (statement, values) => runStatement(pool, statement, values),
      messages,
      options,
    );
  } catch (cause) {
    if (isBlocked(cause)) throw cause;
    const failAll = (error: AppError): Attempted[] =>
      messages.map(() => ({ kind: 'failed', error }));
    const failure =
      cause instanceof DatabaseUnavailableError ? 'not_done' : classifySqlError(cause);
    switch (failure) {
      case 'not_done':
        return failAll(
          isDatabaseUnavailable(cause)
            ? unavailable(cause)
            : new AppError('send_failed', NOT_STORED, { cause }),
        );
      case 'bad_row': {
        if (messages.length === 1)
          return failAll(new AppError('send_failed', NOT_STORED, { cause }));
        const results: Attempted[] = [];
        for (const message of messages) {
          // The messages before this one are stored, so a blocked message must not make all of them run
          // again.
          results.push(
            ...(await storeBatch(pool, [message], options).catch((error: unknown) => {
              if (isBlocked(error)) return [{ kind: 'failed', error: unavailable(error) } as const];
              throw error;
            })),
          );
        }
        return results;
      }
      case 'in_doubt': {
        const stored = await findStored(pool, messages).catch(() => null);
        return messages.map(({ id }) => {
          const seq = stored?.get(id);
          // A missing message proves nothing: the statement may still be about to commit.
          return seq === undefined
            ? { kind: 'failed', error: new AppError('send_failed', IN_DOUBT, { cause }) }
            : { kind: 'stored', seq };
        });
      }
    }
  }
}

/**
 * Stores messages with their idempotency keys and first events, many requests in one statement.
 *
 * @param hintGraceMs how long after acceptance the sweeper takes a message that no worker has claimed
 * @param onEvent called with the event of each stored message, after the commit
 */
export function createAcceptMessages(
  { pool, numbering }: EventWriter,
  hintGraceMs: number,
  onEvent?: StoreOptions['onEvent'],
) {
  const add = createIsolatedBatch<EncodedMessage, Attempted>({
    workspaceOf: ({ workspaceId }) => workspaceId,
    run: (messages, { lockTimeoutMs }) =>
      storeBatch(pool, messages, {
        hintGraceMs,
        lockTimeoutMs,
        numbering: numbering.value,
        onEvent,
        toForms: (numberOf) => toFormsValue(pool, numberOf),
      }),
    maxSize: 200,
    concurrency: 2,
    // Each batch costs a commit, and two batches with the same workspaces wait for each other.
    besideAfterMs: 5,
    halvesFrom: 32,
    maxWaiting: 5_000,
  });

  const encodeText = createEncodeText();

  return async function acceptMessage(message: AcceptedMessage): Promise<AcceptResult> {
    // Not all messages of a statement in one turn of the event loop.
    const result = await add(encodeText(message)).catch((cause: unknown) => {
      if (isBlocked(cause)) throw unavailable(cause);
      throw cause;
    });
    if (result.kind === 'failed') throw result.error;
    return result;
  };
}
