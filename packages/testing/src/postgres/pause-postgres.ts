import { listChildren, signalAll, stopAll } from './server-processes.ts';

/**
 * Sends SIGSTOP to the postmaster and to every process that it started. The postmaster is first, so
 * that none starts afterward. A list from `pg_stat_activity` would lack a connection that is being
 * opened, and that connection would continue to answer.
 */
export async function pausePostgres(postmaster: number): Promise<{ resume(): void }> {
  await stopAll([postmaster]);
  const children = await listChildren(postmaster);
  await stopAll(children);
  return { resume: () => signalAll([...children, postmaster], 'SIGCONT') };
}
