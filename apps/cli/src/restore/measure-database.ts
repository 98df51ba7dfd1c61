import { createPsql } from '../backup/psql.ts';
import type { Environment } from '../backup/run-program.ts';

export interface DatabaseSize {
  workspaces: number;
  messages: number;
  /** When the newest message was accepted or received, ISO 8601; null if there is none. */
  newest: string | null;
}

/** Counts the messages up to and including `until`, an ISO 8601 time, or all of them without it. */
export async function measureDatabase(
  url: string,
  env: Environment,
  until = 'infinity',
): Promise<DatabaseSize> {
  const [row = []] = await createPsql(
    url,
    env,
  )(
    `SELECT (SELECT count(*) FROM workspaces), count(*),
       to_char(max(created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
     FROM messages WHERE created_at <= '${until}'`,
  );
  const [workspaces, messages, newest = ''] = row;
  return {
    workspaces: Number(workspaces),
    messages: Number(messages),
    newest: newest === '' ? null : newest,
  };
}

export function describeSize({ workspaces, messages, newest }: DatabaseSize): string {
  const counts = `${countOf(workspaces, 'workspace')}, ${countOf(messages, 'message')}`;
  return newest === null ? counts : `${counts}, the newest from ${newest}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
