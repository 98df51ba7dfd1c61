import type { LedgerLine } from '@switchboard/testing';
import { checkLedger } from '../oracle/check-ledger.ts';
import { checkService } from '../oracle/check-service.ts';
import { checkWitnesses } from '../oracle/check-witness.ts';
import type { StoredState } from '../oracle/read-database.ts';
import type { Violation } from '../oracle/violation.ts';
import type { Witness } from '../witness/watch-workspace.ts';
import { checkRequests } from './check-requests.ts';
import type { SteadyRecord } from './send-steadily.ts';
import type { RollEnvironment } from './start-roll-environment.ts';

/** Compares the records of clients, carrier and witnesses with the stored rows. */
export async function judgeRoll(run: {
  environment: RollEnvironment;
  sent: SteadyRecord;
  /** In the order of the workspaces. */
  witnesses: readonly Witness[];
  state: StoredState;
  ledger: readonly LedgerLine[];
  /** Messages that were not finished in time. */
  stuck: readonly string[];
}): Promise<Violation[]> {
  const { environment, sent, state } = run;
  const { workspaces } = environment;
  const accounts = new Map(workspaces.map((one) => [one.workspaceId, one.accountSid]));
  const ledger = checkLedger(
    state.messages,
    run.ledger,
    (id) => accounts.get(id) ?? '',
    () => false,
  );
  const processes = [...environment.apis.all, ...environment.workers.all];
  return [
    ...checkRequests(sent, state.messages),
    ...ledger.violations,
    ...(await checkService({ ...environment, ...run, processes })),
    ...checkWitnesses(run.witnesses, workspaces, state.events),
  ];
}
