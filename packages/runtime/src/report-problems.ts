import { setTimeout as delay } from 'node:timers/promises';
import type { ReportProblem } from '@switchboard/core';
import type { Logger } from './logger.ts';

type Account = Parameters<ReportProblem>[0];
type Counted = Parameters<ReportProblem>[1] & { count: number };

/** At most one log line of each kind and one statement for each account in this time. */
const WRITE_EVERY_MS = 1_000;

/** Counts and logs what accounts deliver and the service cannot read, and stores it with the accounts. */
export function createReportProblem(dependencies: {
  problems: {
    add(account: Account, problems: readonly Counted[]): Promise<void>;
  };
  logger: Pick<Logger, 'warn'>;
}): ReportProblem {
  const { problems, logger } = dependencies;
  const waiting = new Map<string, { account: Account; byKind: Map<string, Counted> }>();
  let isWriting = false;

  async function write(account: Account, found: readonly Counted[]): Promise<void> {
    const fields = { workspace_id: account.workspaceId, provider_id: account.providerId };
    for (const problem of found)
      logger.warn({ ...fields, ...problem }, 'unreadable provider delivery');
    try {
      await problems.add(account, found);
    } catch (error) {
      logger.warn({ ...fields, err: error }, 'failed to store the problems of a provider account');
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.size > 0) {
      const all = [...waiting.values()];
      waiting.clear();
      for (const { account, byKind } of all) await write(account, [...byKind.values()]);
      await delay(WRITE_EVERY_MS, undefined, { ref: false });
    }
    isWriting = false;
  }

  return function reportProblem(account, { kind, example }) {
    const key = `${account.workspaceId} ${account.providerId}`;
    const { byKind } = waiting.get(key) ?? { byKind: new Map<string, Counted>() };
    byKind.set(kind, { kind, count: (byKind.get(kind)?.count ?? 0) + 1, example });
    waiting.set(key, { account, byKind });
    if (!isWriting) void writeAll();
  };
}
