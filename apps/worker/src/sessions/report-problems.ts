import { setTimeout as delay } from 'node:timers/promises';
import type { SessionProblem } from '@switchboard/core';
import type { ProviderProblemStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

/** At most one log line of each kind and one statement for each account in this time. */
const WRITE_EVERY_MS = 1_000;

/** Counts and logs the problems of a session, and stores them with its account. */
export function createReportProblem(deps: {
  problems: Pick<ProviderProblemStore, 'add'>;
  account: { id: string; workspaceId: string };
  metrics: Pick<WorkerMetrics, 'sessionProblems'>;
  logger: Logger;
}): (problem: SessionProblem) => void {
  const { problems, account, metrics, logger } = deps;
  const waiting = new Map<SessionProblem['kind'], { count: number; example: string }>();
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.size > 0) {
      const all = [...waiting].map(([kind, problem]) => ({ kind, ...problem }));
      waiting.clear();
      for (const problem of all)
        logger.warn(problem, 'delivery of a provider session not understood');
      try {
        await problems.add(account, all);
      } catch (error) {
        logger.warn({ err: error }, 'failed to store problems of a provider session');
      }
      await delay(WRITE_EVERY_MS, undefined, { ref: false });
    }
    isWriting = false;
  }

  return function reportProblem({ kind, example }) {
    metrics.sessionProblems.inc({ kind });
    waiting.set(kind, { count: (waiting.get(kind)?.count ?? 0) + 1, example });
    if (!isWriting) void writeAll();
  };
}
