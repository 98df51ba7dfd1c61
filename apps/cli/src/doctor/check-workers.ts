import type { SeenProcess } from '@switchboard/database';
import type { Finding } from './finding.ts';

const part = 'workers';

/** Checks that a worker runs: without one, accepted messages wait. */
export function checkWorkers(running: readonly Pick<SeenProcess, 'role' | 'host'>[]): Finding[] {
  const workers = running.filter(({ role }) => role === 'worker');
  if (workers.length === 0) {
    const detail =
      'No worker runs on this database, so accepted messages wait: start one (docs/deploy.md, step 5).';
    return [{ result: 'problem', part, detail }];
  }
  const hosts = [...new Set(workers.map(({ host }) => host))].join(', ');
  return [{ result: 'good', part, detail: `Running: ${workers.length}, on ${hosts}.` }];
}
