import type { InboundLine, LedgerLine } from '@switchboard/testing';
import type { Forgeries } from '../nemesis/forge-callbacks.ts';
import type { Restore } from '../nemesis/restore-backup.ts';
import type { FaultRecord } from '../nemesis/run-faults.ts';
import type { InboundRecord } from '../senders/receive-messages.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import type { ChaosWorkspace, Harness } from '../start-harness.ts';
import type { Witness } from '../witness/watch-workspace.ts';
import { checkAnswers } from './check-answers.ts';
import { checkClocks } from './check-clocks.ts';
import { checkDelays } from './check-delays.ts';
import { checkErased } from './check-erased.ts';
import { type InboundFindings, checkInbound } from './check-inbound.ts';
import { type LedgerFindings, checkLedger } from './check-ledger.ts';
import { checkOutages } from './check-outages.ts';
import { checkService } from './check-service.ts';
import { type CheckedEndpoint, type StoredEndpoint, checkWebhooks } from './check-webhooks.ts';
import { checkWitnesses } from './check-witness.ts';
import type { StoredState } from './read-database.ts';
import { toViolations } from './violation.ts';

export interface RunFindings
  extends Pick<LedgerFindings, 'violations' | 'outcomeUnknown'>, Pick<InboundFindings, 'givenUp'> {}

/** Compares everything that clients and the carrier observed with everything that is stored. */
export async function judgeRun(run: {
  harness: Harness;
  /** Without the requests whose messages a restore has erased. */
  records: readonly SendRecord[];
  inbound: readonly InboundRecord[];
  happened: readonly FaultRecord[];
  restore: Restore | null;
  /** Clients in the order of the workspaces. */
  witnesses: readonly Witness[];
  forgeries: Pick<Forgeries, 'accepted'>;
  webhooks: { endpoints: readonly CheckedEndpoint[] };
  webhookEndpoints: readonly StoredEndpoint[];
  state: StoredState;
  ledger: readonly LedgerLine[];
  inboundLedger: readonly InboundLine[];
  /** Messages that were not finished in time. */
  stuck: readonly string[];
}): Promise<RunFindings> {
  const { harness, state, records, happened, restore } = run;
  const { workspaces } = harness;
  const apis = harness.apis.map(({ name }) => name);
  const byId = new Map(workspaces.map((workspace) => [workspace.workspaceId, workspace]));
  const erased = checkErased(
    joinAccounts(run.ledger, workspaces),
    restore?.erased ?? [],
    workspaces.map(({ accountSid }) => accountSid),
  );
  const ledger = checkLedger(
    state.messages,
    erased.others,
    (id) => byId.get(id)?.accountSid ?? '',
    (id) => byId.get(id)?.onUnknown === 'fail',
    ({ workspaceId, vendorAccountId }) => vendorAccountId === byId.get(workspaceId)?.accountSid,
  );
  const inbound = checkInbound(run.inboundLedger, state.inbound, run.inbound);
  const processes = [...harness.apis, ...harness.workers];
  const service = await checkService({ ...harness, ...run, processes });
  return {
    outcomeUnknown: ledger.outcomeUnknown,
    givenUp: inbound.givenUp,
    violations: [
      ...ledger.violations,
      ...erased.violations,
      ...inbound.violations,
      ...checkOutages(happened, state.messages, state.attempts),
      ...checkDelays(happened, records, apis),
      ...checkClocks(records, run.inbound, state),
      ...service,
      ...checkAnswers(
        records,
        workspaces.map(({ workspaceId }) => workspaceId),
        state.messages,
        state.keys,
      ),
      ...checkWitnesses(run.witnesses, workspaces, state.events, restore, happened),
      ...toViolations(
        'witness',
        state.workspacesWithGaps.map((id) => `the events of workspace ${id} have a gap`),
      ),
      ...toViolations('forgery', run.forgeries.accepted),
      ...checkWebhooks(run.webhooks.endpoints, run.webhookEndpoints, state.events),
    ],
  };
}

/**
 * Counts the lines of all accounts of a workspace as lines of its first account, so that two accounts that
 * send the same message are a duplicate.
 */
function joinAccounts(
  ledger: readonly LedgerLine[],
  workspaces: readonly Pick<ChaosWorkspace, 'accounts' | 'accountSid'>[],
): LedgerLine[] {
  const first = new Map(
    workspaces.flatMap(({ accounts, accountSid }) => accounts.map((name) => [name, accountSid])),
  );
  return ledger.map((line) => ({
    ...line,
    account_sid: first.get(line.account_sid) ?? line.account_sid,
  }));
}
