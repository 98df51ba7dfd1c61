import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchEnvironment } from './open-environment.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const CLIENTS = 16;

const run = promisify(execFile);

/** Returns the name or path of `pgbench`, or null if it is not installed (Debian: postgresql-contrib). */
async function findPgbench(): Promise<string | null> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const paths = versions.map((version) => join(DEBIAN_FOLDER, version, 'bin/pgbench'));
  for (const program of ['pgbench', ...paths]) {
    const found = await run(program, ['--version']).catch(() => null);
    if (found !== null) return program;
  }
  return null;
}

/**
 * Creates a script that inserts the rows of one accepted message in its own statement and transaction.
 * The number of the event comes from a sequence, which needs no lock. The service takes a lock for it.
 */
function createScript(workspaceIds: readonly string[]): string {
  const choices = workspaceIds.map((id, index) => `WHEN ${index} THEN '${id}'`).join(' ');
  return `\\set w random(0, ${workspaceIds.length - 1})
\\set number random(1, 9999999)
WITH accepted AS MATERIALIZED (
  SELECT uuidv7() AS id, (CASE :w::int ${choices} END)::uuid AS workspace_id, '+1202' || :number AS "to",
    '+15005550006' AS "from", now() AS at),
recorded AS (
  INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, created_at, request_id,
    sid_adopted, version, attempt, resends, proved_resends, lookups)
  SELECT id, workspace_id, 'outbound', "to", 'Your table for two is booked, number ' || :number, 1, at,
    gen_random_uuid()::text, NULL, NULL, NULL, NULL, NULL, NULL FROM accepted),
stored AS (
  INSERT INTO message_progress (id, workspace_id, "to", "from", status, dispatch, updated_at, due_at)
  SELECT id, workspace_id, "to", "from", 'queued', 'ready', at, at FROM accepted)
INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, visible, status,
  "from")
SELECT workspace_id, nextval('bench_seq'), id, 0, 'created', at, true, 'queued', "from"
FROM accepted;
`;
}

/**
 * Prepares pgbench. The returned function runs it, and returns how many messages with their events
 * PostgreSQL commits per second, one at a time. With `keepsCounts`, the triggers of the tables run, as for each
 * statement that does not count itself: they count messages in one row for each workspace, and clients wait for the
 * lock of that row.
 */
export async function preparePgbench(
  environment: BenchEnvironment,
): Promise<((seconds: number, keepsCounts: boolean) => Promise<number>) | null> {
  const program = await findPgbench();
  if (program === null) return null;
  // Above every number that the service assigns in this run.
  await environment.query('CREATE SEQUENCE bench_seq START 1000000000 CACHE 1000');
  const script = join(environment.folder, 'accept.sql');
  await writeFile(script, createScript(environment.workspaces.map((each) => each.workspaceId)));
  const fixed = ['--no-vacuum', '--protocol=prepared', `--client=${CLIENTS}`, '--jobs=1'];
  return async (seconds, keepsCounts) => {
    const url = keepsCounts ? environment.databaseUrl : withoutTriggers(environment.databaseUrl);
    const plan = [`--time=${seconds}`, `--file=${script}`, url];
    const { stdout } = await run(program, [...fixed, ...plan]);
    const tps = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench did not report its rate:\n${stdout}`);
    return Number(tps);
  };
}

/**
 * Returns the URL of the same database for connections without triggers. The triggers maintain the
 * counts of messages, which the references do not need.
 */
export function withoutTriggers(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c session_replication_role=replica');
  // libpq does not decode a plus as a space.
  return url.href.replaceAll('+', '%20');
}
