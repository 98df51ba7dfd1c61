import { type Keyword, type ReceivedKeyword, countSegments } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';

export interface KeywordReply {
  id: string;
  body: string;
  segments: number;
}

const COLUMN = {
  opt_out: 'opt_out_reply',
  opt_in: 'opt_in_reply',
  help: 'help_reply',
} as const satisfies Record<Keyword, string>;

/** Reads the text with which a workspace replies to a keyword; null if no reply may be sent. */
export async function readKeywordReply(
  pool: pg.Pool,
  workspaceId: string,
  { keyword, reply }: ReceivedKeyword,
): Promise<KeywordReply | null> {
  if (reply === null) return null;
  const [workspace] = await runStatement<{ text: string | null }>(
    pool,
    `SELECT ${COLUMN[keyword]} AS text FROM workspaces WHERE id = $1::uuid`,
    [workspaceId],
  );
  const body = workspace?.text ?? reply.defaultText;
  return { id: reply.id, body, segments: countSegments(body).segments };
}
