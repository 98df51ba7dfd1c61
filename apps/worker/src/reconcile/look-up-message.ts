import {
  type DispatchPolicy,
  type DispatchRow,
  type LookUpOutcome,
  NO_CHANGE,
  type ProviderMessage,
  type Rivals,
  decideLookUp,
  isResend,
  postponeResend,
} from '@switchboard/core';
import type { DueMessage, LookUpContext, MessageStore } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import type { ProbeAccount } from '../probe-account.ts';
import type { OpenAccount } from '../open-account.ts';
import type { SettleRow } from '../settle-row.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface LookUpMessageDependencies {
  store: Pick<MessageStore, 'readLookUpContext'>;
  providers: Pick<ProviderRegistry, 'get'>;
  openAccount: OpenAccount;
  settleRow: SettleRow;
  probeAccount: ProbeAccount;
  monitor: Pick<AccountMonitor, 'record' | 'hasJustAnswered'>;
  policy: DispatchPolicy;
  metrics: Pick<WorkerMetrics, 'lookups' | 'orphans'>;
}

/** How far the provider's clock may be behind the database's. */
const CLOCK_SLACK_MS = 5_000;
/** Providers tell times in whole seconds. */
const PROVIDER_TICK_MS = 1_000;
/** An identifier may be adopted by another row between the question and the write. */
const MOST_ROUNDS = 3;

const NOTHING_HELD: LookUpContext = { heldSids: [], rivals: { undecided: 0, held: 0 } };

/** Looks for a message of unknown outcome in the provider's list. */
export function createLookUpMessage(deps: LookUpMessageDependencies) {
  const { policy, metrics } = deps;

  return async function lookUpMessage(
    row: DueMessage,
    log: Logger,
  ): Promise<LookUpOutcome['kind']> {
    const found = await findCandidates(row);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      // Read after the provider's list: whoever sent a message that is in the list has begun.
      const { heldSids, rivals } =
        found.kind === 'found' && found.messages.length > 0
          ? await readContext(row, found.messages)
          : NOTHING_HELD;
      const held = new Set(heldSids);
      const free: LookUpOutcome =
        found.kind === 'found'
          ? { kind: 'found', messages: found.messages.filter(({ sid }) => !held.has(sid)) }
          : found;
      const decide = (now: DispatchRow) => decideLookUp(now, free, rivals, policy);
      const mustWait = isResend(row, decide(row)) && !(await isAnswering(row));
      const settled = await deps.settleRow(
        row.id,
        // Another has changed the row: its look-up is another's too.
        (now) =>
          now.version === row.version
            ? mustWait
              ? postponeResend(now, policy)
              : decide(now)
            : NO_CHANGE,
        { known: row, retryForMs: 0, log },
      );
      if (settled?.kind === 'sid_held') continue;
      const result = settled?.kind === 'changed' ? settled.change.next.dispatch : 'none';
      metrics.lookups.inc({ result: free.kind === 'unavailable' ? free.kind : result });
      log.info(
        { result, candidates: free.kind === 'found' ? free.messages.length : null, ...rivals },
        'outcome looked up',
      );
      if (settled?.kind === 'changed' && free.kind === 'found') {
        const spare = findSpare(free.messages, settled.change.next.providerSid, rivals);
        if (spare.length > 0) {
          metrics.orphans.inc(spare.length);
          log.error(
            { provider_sids: spare },
            'orphan: the provider has messages that no row holds',
          );
        }
      }
      break;
    }
    return found.kind;
  };

  /** Whether a send would be answered now: shown by a call on the account, never assumed. */
  async function isAnswering({ provider, workspaceId }: DueMessage): Promise<boolean> {
    if (provider === null || provider.isFailing || provider.isRefused) return false;
    if (deps.monitor.hasJustAnswered(workspaceId)) return true;
    const account = { ...provider, workspaceId };
    const { kind } = await deps.probeAccount(account);
    if (kind === 'answered') await deps.monitor.record(account, kind, '');
    return kind === 'answered';
  }

  /** What may be this message, as far as the provider's list can tell. */
  async function findCandidates(row: DueMessage): Promise<LookUpOutcome> {
    const opened = deps.openAccount(row.workspaceId, row.provider);
    if (opened.account === null) return { kind: 'unavailable', detail: opened.detail };
    if (opened.account.accountSid !== row.providerAccount) {
      return { kind: 'unavailable', detail: 'The attempt was made with another account' };
    }
    const adapter = deps.providers.get(opened.type);
    if (adapter === null || row.startedAt === null) {
      return { kind: 'unavailable', detail: 'There is no way to ask the provider' };
    }
    const { accountSid } = opened.account;
    const since = new Date(row.startedAt.getTime() - CLOCK_SLACK_MS);
    const sent = await adapter.findSent(opened.account, { to: row.to, from: row.from, since });
    if (sent.kind === 'unavailable') return sent;
    const messages = sent.messages
      .filter((message) => mayBe(message, row))
      .map((message) => ({ ...message, accountSid }));
    return { kind: 'found', messages };
  }

  function readContext(
    row: DueMessage,
    candidates: readonly ProviderMessage[],
  ): Promise<LookUpContext> {
    const youngest = Math.max(
      ...candidates.map(({ createdAt }) => createdAt?.getTime() ?? Infinity),
    );
    return deps.store.readLookUpContext({
      id: row.id,
      workspaceId: row.workspaceId,
      providerAccount: row.providerAccount ?? '',
      to: row.to,
      from: row.from,
      body: row.body,
      sids: candidates.map(({ sid }) => sid),
      begunBefore: Number.isFinite(youngest)
        ? new Date(youngest + CLOCK_SLACK_MS + PROVIDER_TICK_MS)
        : null,
      holdLookups: policy.unknownLookupsMs.length,
    });
  }
}

/** Once the row has its identifier, and no other row could claim one: the identifiers left over. */
function findSpare(
  candidates: readonly ProviderMessage[],
  adoptedSid: string | null,
  rivals: Rivals,
): string[] {
  if (adoptedSid === null || rivals.undecided + rivals.held > 0) return [];
  return candidates.map(({ sid }) => sid).filter((sid) => sid !== adoptedSid);
}

function mayBe(message: ProviderMessage, row: DueMessage): boolean {
  return (
    message.direction === 'outbound' &&
    (message.body ?? '') === row.body &&
    (row.from === null || message.from === null || message.from === row.from)
  );
}
