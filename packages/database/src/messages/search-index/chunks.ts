import { setImmediate } from 'node:timers/promises';
import { ERASED, readWords, toTerms } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';

/**
 * Words are stored for this many messages together, which takes far less space than the words of each.
 */
export const CHUNK_MESSAGES = 200;

/**
 * The rule by which words become terms. Chunks of a lower rule are written again in the background, so a change of
 * `foldText` or `toTerms` increases it. 0: the messages of the chunk have changed.
 */
export const RULE = 1;

/** A `tsvector` of 1 MiB is refused. */
const CHUNK_BYTES_MAX = 1_000_000;

/** The worker does other work after this many characters: some 10 ms in scripts without spaces. */
const TURN_CHARACTERS = 20_000;

/** The terms of the index include the workspace, so that a search never reads the terms of another workspace. */
export const prefixOf = (workspaceId: string): string => workspaceId.slice(-8);

/**
 * The same in SQL. Alone, it is the term of a chunk whose terms are not listed: every search reads its messages.
 */
export const prefixInSql = (workspaceId: string): string => `right(${workspaceId}::text, 8)`;

export interface ChunkMessage {
  id: string;
  body: string;
  /** Null for a message without another party. */
  number: string | null;
}

/** The number of erased messages among the messages `m`, which changes when one of them is erased. */
export const COUNT_ERASED = `count(*) FILTER (WHERE m.counterpart = '${ERASED}')`;

export const countErased = (messages: readonly ChunkMessage[]): number =>
  messages.filter(({ number }) => number === ERASED).length;

/** Returns the messages `m` that match a condition, by their ids. */
export function readMessages(
  pool: pg.Pool,
  condition: string,
  values: unknown[],
  limit: number,
): Promise<ChunkMessage[]> {
  return runStatement<ChunkMessage>(
    pool,
    `SELECT m.id, m.body, m.counterpart AS number FROM messages m
     WHERE ${condition} ORDER BY m.id LIMIT ${limit}`,
    values,
  );
}

/** Returns the terms of some messages, separated by spaces. */
export async function toChunkTerms(
  workspaceId: string,
  messages: readonly ChunkMessage[],
): Promise<string> {
  const prefix = prefixOf(workspaceId);
  const terms = new Set<string>();
  let characters = 0;
  for (const { body, number } of messages) {
    for (const word of readWords(body)) for (const term of toTerms(word)) terms.add(term);
    characters += body.length;
    // The terms of 200 long texts take 100 ms, in which the worker would do nothing else.
    if (characters > TURN_CHARACTERS) characters = await setImmediate(0);
    if (number !== null) terms.add(`+${[...number.replace(/^\+/, '')].toReversed().join('')}`);
  }
  const text = [...terms].map((term) => prefix + term).join(' ');
  return Buffer.byteLength(text) > CHUNK_BYTES_MAX ? prefix : text;
}
