import type {
  Keyword,
  ReadText,
  Received,
  ReceivedKeyword,
  ReceivedMessage,
} from '@switchboard/core';
import type { EventWriter } from '../events/event-numbering.ts';
import { runStatement } from '../../run-statement.ts';
import { classifySqlError } from '../../sql-error.ts';
import { toFormsValue } from '../../opt-outs/opt-out-forms.ts';
import { applyKnownKeyword } from './apply-known-keyword.ts';
import { createIsolatedBatch } from '../../isolated-batch.ts';
import { readKeywordReply } from './read-keyword-reply.ts';
import { type ReceivedRow, type ReceiveInput, RECEIVE } from './receive-statement.ts';

export interface ReceiveOptions {
  hintGraceMs: number;
  /** The maximum number of keyword replies that a workspace sends within an hour. */
  keywordRepliesPerHour: number;
}

type Attempted =
  | { kind: 'stored'; received: Omit<Received, 'isSuspected'> }
  /** Nothing is stored. */
  | { kind: 'own_keyword'; keyword: Keyword }
  /** The message is already stored. */
  | { kind: 'known' }
  | { kind: 'failed'; cause: unknown };

/** Stores a batch. If it rejects, nothing is stored or everything is in doubt. Repeating it is safe. */
async function storeBatch(
  writer: EventWriter,
  inputs: readonly ReceiveInput[],
  options: ReceiveOptions,
  lockTimeoutMs: number,
): Promise<Attempted[]> {
  const { hintGraceMs, keywordRepliesPerHour } = options;
  const values = {
    lockTimeoutMs: String(lockTimeoutMs),
    numbering: writer.numbering.value,
    hintGraceMs,
    repliesPerHour: Number.isFinite(keywordRepliesPerHour) ? keywordRepliesPerHour : null,
  };
  try {
    const rows = await runStatement<ReceivedRow>(
      writer.pool,
      RECEIVE,
      RECEIVE.toValues(inputs, values),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return inputs.map(({ id }) => toAttempted(byId.get(id)));
  } catch (error) {
    if (inputs.length === 1 || classifySqlError(error) !== 'bad_row') throw error;
    // One message that can't be stored must not fail the others.
    const results: Attempted[] = [];
    for (const input of inputs) {
      const one = storeBatch(writer, [input], options, lockTimeoutMs);
      results.push(...(await one.catch((cause: unknown) => [{ kind: 'failed', cause } as const])));
    }
    return results;
  }
}

function toAttempted(row: ReceivedRow | undefined): Attempted {
  if (row === undefined) return { kind: 'known' };
  const { ownKeyword, seq, replyId: id, replySeq, isReplyWithheld } = row;
  if (ownKeyword !== null) return { kind: 'own_keyword', keyword: ownKeyword };
  const reply = id === null || replySeq === null ? null : { id, seq: replySeq };
  return { kind: 'stored', received: { seq, reply, isReplyWithheld } };
}

/**
 * Creates a function that stores received messages with the effects of their keywords, many in one
 * statement.
 */
export function createReceiveMessages(writer: EventWriter, options: ReceiveOptions) {
  const { pool } = writer;
  const formsOf = ({ workspaceId, from }: ReceivedMessage): string | null =>
    toFormsValue(pool, { workspaceId, number: from });
  const batchOf = (maxSize: number, concurrency: number) =>
    createIsolatedBatch<ReceiveInput, Attempted>({
      workspaceOf: ({ workspaceId }) => workspaceId,
      run: (inputs, { lockTimeoutMs }) => storeBatch(writer, inputs, options, lockTimeoutMs),
      maxSize,
      concurrency,
      maxWaiting: 2_000,
    });
  const addPlain = batchOf(200, 2);
  // One at a time, because a STOP and a START of one number must not be in the same statement.
  const addKeyword = batchOf(1, 2);

  async function storeKeyword(
    message: ReceivedMessage,
    received: ReceivedKeyword,
  ): Promise<Attempted> {
    const { keyword, isCustom } = received;
    const reply = await readKeywordReply(pool, message.workspaceId, received);
    const forms = formsOf(message);
    const input = { ...message, keyword, reply, ownWord: null, isSuspected: false, forms };
    const attempted = await addKeyword(input);
    if (attempted.kind === 'known' && isCustom) await applyKnownKeyword(pool, message, keyword);
    return attempted;
  }

  return async function receiveMessage(
    message: ReceivedMessage,
    { keyword, own, isSuspected }: ReadText,
  ): Promise<Received | null> {
    if (keyword !== null) return toReceived(await storeKeyword(message, keyword), false);
    const ownWord = own?.word ?? null;
    const forms = formsOf(message);
    const plain = { ...message, keyword: null, reply: null, ownWord, isSuspected, forms };
    const attempted = await addPlain(plain);
    if (attempted.kind !== 'own_keyword' || own === null) return toReceived(attempted, isSuspected);
    return toReceived(await storeKeyword(message, own.toReceived(attempted.keyword)), false);
  };
}

function toReceived(attempted: Attempted, isSuspected: boolean): Received | null {
  if (attempted.kind === 'failed') throw attempted.cause;
  return attempted.kind === 'stored' ? { ...attempted.received, isSuspected } : null;
}
