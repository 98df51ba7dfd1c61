import {
  type EncodingChoice,
  type Keyword,
  type ReceivedKeyword,
  countSegments,
  preferGsm7,
} from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';

export interface KeywordReply {
  id: string;
  body: string;
  segments: number;
  /** The choice of the workspace; null is `as_is`. */
  encoding: 'prefer_gsm7' | null;
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
  const [workspace] = await runStatement<{ text: string | null; encoding: EncodingChoice }>(
    pool,
    `SELECT ${COLUMN[keyword]} AS text, encoding FROM workspaces WHERE id = $1::uuid`,
    [workspaceId],
  );
  const text = workspace?.text ?? reply.defaultText;
  const encoding = workspace?.encoding === 'prefer_gsm7' ? 'prefer_gsm7' : null;
  const body = encoding === null ? text : preferGsm7(text);
  return { id: reply.id, body, segments: countSegments(body).segments, encoding };
}
