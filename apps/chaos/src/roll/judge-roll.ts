import type { LedgerLine } from '../carrier.ts';
import { checkLedger } from '../oracle/check-ledger.ts';
import { checkService } from '../oracle/check-service.ts';
import { checkWitnesses } from '../oracle/check-witness.ts';
import type { StoredState } from '../oracle/read-database.ts';
import type { Violation } from '../oracle/violation.ts';
import type { Witness } from '../witness/watch-workspace.ts';
import { checkRequests } from './check-requests.ts';
import type { SteadyRecord } from './send-steadily.ts';
import type { RollStage } from './start-roll-stage.ts';

/** Holds what clients, carrier and proxy have seen against what is stored. */
export async function judgeRoll(run: {
  stage: RollStage;
  sent: SteadyRecord;
  /** In the order of the workspaces. */
  witnesses: readonly Witness[];
  state: StoredState;
  ledger: readonly LedgerLine[];
  /** Messages that were not finished in time. */
  stuck: readonly string[];
}): Promise<Violation[]> {
  const { stage, sent, state } = run;
  const { workspaces } = stage;
  const accounts = new Map(workspaces.map((one) => [one.workspaceId, one.accountSid]));
  const ledger = checkLedger(
    state.messages,
    run.ledger,
    (id) => accounts.get(id) ?? '',
    () => false,
  );
  const processes = [...stage.apis.all, ...stage.workers.all];
  return [
    ...checkRequests(sent, state.messages),
    ...ledger.violations,
    ...(await checkService({ ...stage, ...run, processes })),
    ...checkWitnesses(run.witnesses, workspaces, state.events),
  ];
}
