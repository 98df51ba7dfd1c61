import type { Carrier, ProcessSlot, WorkspaceFixture } from '@switchboard/testing';
import { checkStatuses } from './check-statuses.ts';
import type { StoredState } from './read-database.ts';
import { type Violation, toViolations } from './violation.ts';

/**
 * Checks what must hold after every run: statuses equal the carrier's, all messages are finished,
 * and no process has failed.
 */
export async function checkService(run: {
  carrier: Pick<Carrier, 'readStatuses'>;
  workspaces: readonly WorkspaceFixture[];
  processes: readonly ProcessSlot[];
  state: StoredState;
  /** Messages that were not finished in time. */
  stuck: readonly string[];
}): Promise<Violation[]> {
  const statuses = new Map<string, string>();
  for (const workspace of run.workspaces) {
    for (const [sid, status] of await run.carrier.readStatuses(workspace)) {
      statuses.set(sid, status);
    }
  }
  const failures = run.processes.flatMap((process) => process.failures);
  return [
    ...run.stuck.map((id): Violation => ({
      check: 'stuck',
      detail: `${id} was not finished in time`,
      messageIds: [id],
    })),
    ...checkStatuses(run.state.messages, statuses),
    ...toViolations('process', failures),
  ];
}
