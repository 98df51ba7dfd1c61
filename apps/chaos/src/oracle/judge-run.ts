import type { LedgerLine } from '../carrier.ts';
import type { Forgeries } from '../nemesis/forge-callbacks.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import type { Stage } from '../stage/start-stage.ts';
import type { Witness } from '../witness/watch-workspace.ts';
import { checkAnswers } from './check-answers.ts';
import { type LedgerFindings, checkLedger } from './check-ledger.ts';
import { checkStatuses } from './check-statuses.ts';
import { checkWitness } from './check-witness.ts';
import type { StoredState } from './read-database.ts';
import type { Check, Violation } from './violation.ts';

export interface RunFindings {
  violations: Violation[];
  outcomeUnknown: LedgerFindings['outcomeUnknown'];
}

/** Holds everything that was seen from outside against everything that is stored. */
export async function judgeRun(run: {
  stage: Stage;
  records: readonly SendRecord[];
  /** In the order of the workspaces. */
  witnesses: readonly Witness[];
  forgeries: Pick<Forgeries, 'believed'>;
  state: StoredState;
  ledger: readonly LedgerLine[];
  /** Messages that were not finished in time. */
  stuck: readonly string[];
}): Promise<RunFindings> {
  const { stage, state } = run;
  const { workspaces } = stage;
  const byId = new Map(workspaces.map((workspace) => [workspace.workspaceId, workspace]));
  const ledger = checkLedger(
    state.messages,
    run.ledger,
    (id) => byId.get(id)?.accountSid ?? '',
    (id) => byId.get(id)?.onUnknown === 'fail',
  );
  const statuses = new Map<string, string>();
  for (const workspace of workspaces) {
    for (const [sid, status] of await stage.carrier.readStatuses(workspace)) {
      statuses.set(sid, status);
    }
  }
  const processes = [...stage.apis, ...stage.workers];
  return {
    outcomeUnknown: ledger.outcomeUnknown,
    violations: [
      ...ledger.violations,
      ...run.stuck.map((id) => ({
        check: 'stuck' as const,
        detail: `${id} was not finished in time`,
        messageIds: [id],
      })),
      ...checkStatuses(state.messages, statuses),
      ...checkAnswers(
        run.records,
        workspaces.map(({ workspaceId }) => workspaceId),
        state.messages,
        state.keys,
      ),
      ...run.witnesses.flatMap((witness, index) =>
        checkWitness(
          witness.seen,
          state.events.filter((event) => event.workspaceId === workspaces[index]?.workspaceId),
          witness.resyncs,
        ),
      ),
      ...toViolations('forgery', run.forgeries.believed),
      ...toViolations(
        'process',
        processes.flatMap(({ troubles }) => troubles),
      ),
    ],
  };
}

function toViolations(check: Check, details: readonly string[]): Violation[] {
  return details.map((detail) => ({ check, detail, messageIds: [] }));
}
