import {
  type Decision,
  type DispatchPolicy,
  type DispatchRow,
  type LookUpOutcome,
  NO_CHANGE,
  type ProviderMessage,
  type Rivals,
  decideLookUp,
  isResend,
  mayChangeAccount,
  postponeResend,
  provesResponse,
} from '@switchboard/core';
import type { DueMessage, MessageStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import type { ProbeAccount } from '../probe-account.ts';
import type { Routes } from '../create-routes.ts';
import type { SessionDirectory } from '../provider-sessions.ts';
import type { TryTransition } from '../try-transition.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { type FindCandidatesDependencies, createFindCandidates } from './find-candidates.ts';
import { NOTHING_FOUND, readFreeMessages } from './read-free-messages.ts';

export interface LookUpMessageDependencies extends FindCandidatesDependencies {
  store: Pick<MessageStore, 'readLookUpContext' | 'readLookUpWindow'>;
  transition: TryTransition;
  routes: Pick<Routes, 'listAccounts' | 'listAlternatives'>;
  probeAccount: ProbeAccount;
  monitor: Pick<AccountMonitor, 'record' | 'hasJustResponded'>;
  directory: Pick<SessionDirectory, 'isBound'>;
  policy: DispatchPolicy;
  metrics: Pick<WorkerMetrics, 'lookups' | 'untracked'>;
}

/** Another row may adopt the identifier between the lookup and the write. */
const MAX_ROUNDS = 3;

/** Searches the provider's list for a message with an unknown outcome. */
export function createLookUpMessage(dependencies: LookUpMessageDependencies) {
  const { policy, metrics } = dependencies;
  const findCandidates = createFindCandidates(dependencies);

  return async function lookUpMessage(
    row: DueMessage,
    log: Logger,
  ): Promise<LookUpOutcome['kind']> {
    const found = await findCandidates(row);
    // Any account may have sent a message since the backup from which the database was restored.
    const unchecked =
      row.attempt === 0 ? await dependencies.routes.listAccounts(row.workspaceId) : [];
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      // Read after the provider's list, so that the row of every message in the list has begun its attempt.
      const { free, rivals, doubts } =
        // A reference belongs to one row, so no other row can claim the message.
        found.kind === 'found' && found.proof === 'by_content'
          ? await readFreeMessages(dependencies.store, row, found, policy)
          : { free: found, ...NOTHING_FOUND };
      const evidence = {
        doubts,
        unchecked,
        ...(found.kind === 'found'
          ? { proof: found.proof }
          : {
              isWithoutEvidence: found.isWithoutEvidence === true,
              hasLookUp: found.isForever !== true,
            }),
      };
      const decide = (now: DispatchRow) => decideLookUp(now, free, rivals, policy, evidence);
      const mustWait = isResend(row, decide(row)) && !(await maySendAgain(row, decide(row)));
      const result = await dependencies.transition(
        row,
        // Another process has changed the row and will look it up.
        (now) =>
          now.version === row.version
            ? mustWait
              ? postponeResend(now, policy)
              : decide(now)
            : NO_CHANGE,
        { log },
      );
      if (result?.kind === 'sid_held') continue;
      const dispatch = result?.kind === 'changed' ? result.change.next.dispatch : 'none';
      metrics.lookups.inc({ result: free.kind === 'unavailable' ? free.kind : dispatch });
      log.info(
        {
          result: dispatch,
          candidates: free.kind === 'found' ? free.messages.length : null,
          ...rivals,
          ...doubts,
        },
        'outcome looked up',
      );
      if (result?.kind === 'changed' && free.kind === 'found') {
        const untracked = findUntracked(free.messages, result.change.next.providerSid, rivals);
        if (untracked.length > 0) {
          metrics.untracked.inc(untracked.length);
          log.error(
            { provider_sids: untracked },
            'untracked: the provider has messages that match no row',
          );
        }
      }
      break;
    }
    return found.kind;
  };

  /**
   * Another account may send a message that the provider has certainly not sent, whether or not the
   * provider responds again.
   */
  async function maySendAgain(row: DueMessage, { change }: Decision): Promise<boolean> {
    const mayChange = change !== null && mayChangeAccount(change.next);
    const others = mayChange ? await dependencies.routes.listAlternatives(row) : [];
    return others.some((id) => id !== row.providerId) || isResponding(row);
  }

  /**
   * Returns whether the provider would process a send now. A recent call of the account that was
   * not throttled proves it.
   */
  async function isResponding({ provider, workspaceId }: DueMessage): Promise<boolean> {
    if (provider === null || provider.isFailing || provider.isRefused) return false;
    if (dependencies.monitor.hasJustResponded(provider.id)) return true;
    const isBound = dependencies.directory.isBound(provider);
    if (isBound !== null) return isBound;
    const account = { ...provider, workspaceId };
    const { kind } = await dependencies.probeAccount(account);
    if (provesResponse(kind)) await dependencies.monitor.record(account, kind, '');
    return kind === 'answered';
  }
}

/** Lists the identifiers that remain once the row has its own and no other row can claim one. */
function findUntracked(
  candidates: readonly ProviderMessage[],
  adoptedSid: string | null,
  rivals: Rivals,
): string[] {
  if (adoptedSid === null || rivals.undecided + rivals.held > 0) return [];
  return candidates.map(({ sid }) => sid).filter((sid) => sid !== adoptedSid);
}
