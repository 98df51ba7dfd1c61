import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { readBenchConfig } from '../config.ts';
import { withoutTriggers } from './without-triggers.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const CLIENTS = 16;

/** Returns the path of `pgbench`, or null if it is not installed (Debian: postgresql-contrib). */
export async function findPgbench(): Promise<string | null> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const folders = [
    ...readBenchConfig().path.split(delimiter),
    ...versions.map((version) => join(DEBIAN_FOLDER, version, 'bin')),
  ];
  for (const folder of folders) {
    const file = join(folder, 'pgbench');
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
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
WITH stored AS (
  INSERT INTO messages (id, workspace_id, direction, "to", "from", body, segments, status,
    created_at, updated_at, dispatch, due_at, request_id)
  VALUES (uuidv7(), (CASE :w::int ${choices} END)::uuid, 'outbound', '+1202' || :number,
    '+15005550006', 'Your table for two is booked, number ' || :number, 1, 'queued',
    now(), now(), 'ready', now(), gen_random_uuid()::text)
  RETURNING id, workspace_id, created_at, status, "from")
INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, visible, status,
  "from")
SELECT workspace_id, nextval('bench_seq'), id, 0, 'created', created_at, true, status, "from"
FROM stored;
`;
}

/** Runs pgbench. Returns how many messages with their events PostgreSQL commits per second, one at a time. */
export async function runPgbench(options: {
  program: string;
  databaseUrl: string;
  workspaceIds: readonly string[];
  seconds: number;
  /**
   * Whether the triggers of the tables run, as in the service. They count messages in one row for each
   * workspace, and clients wait for the lock of that row.
   */
  keepsCounts: boolean;
}): Promise<number> {
  const { databaseUrl } = options;
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-pgbench-'));
  try {
    const script = join(folder, 'accept.sql');
    await writeFile(script, createScript(options.workspaceIds));
    const { stdout } = await promisify(execFile)(
      options.program,
      [
        ['--no-vacuum', '--protocol=prepared', `--client=${CLIENTS}`, '--jobs=1'],
        [`--time=${options.seconds}`, `--file=${script}`],
        [options.keepsCounts ? databaseUrl : withoutTriggers(databaseUrl)],
      ].flat(),
    );
    const tps = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench did not report its rate:\n${stdout}`);
    return Number(tps);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
