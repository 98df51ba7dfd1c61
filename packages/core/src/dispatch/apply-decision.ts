import type { BusNotification } from '../ports/event-bus.ts';
import { decideGivenUpIdentifier, decideTakenIdentifier } from './decide-taken-identifier.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import type { Change, Decision, DispatchRow, MessageKey } from './dispatch-row.ts';
import { toOwnSid } from './provider-identifier.ts';

/** The result of writing one change. */
export type ApplyResult =
  /** Written; `seq` is null where the change made no event. */
  | { kind: 'applied'; workspaceId: string; seq: number | null }
  /** The row has changed since it was read: read it again and decide again. */
  | { kind: 'stale' }
  /** Another row holds the provider's identifier. */
  | { kind: 'sid_taken' };

export interface ChangeStore {
  readRow(key: MessageKey): Promise<DispatchRow | null>;
  findRowByProviderSid(vendorAccountId: string, sid: string): Promise<DispatchRow | null>;
  apply(change: Change): Promise<ApplyResult>;
}

export type AppliedDecision =
  | { kind: 'missing' }
  | { kind: 'unchanged'; row: DispatchRow }
  /** Written. `newIdentifier` is set if the change gave the row its identifier. */
  | {
      kind: 'changed';
      change: Change;
      notifications: BusNotification[];
      newIdentifier: ProviderIdentifier | null;
    }
  /** The row has direct evidence of one identifier, and this is direct evidence of another. */
  | { kind: 'duplicate'; row: DispatchRow; sid: string }
  /** Another row holds the identifier and keeps it. `isAdoption`: this row found it by lookup. */
  | { kind: 'sid_held'; row: DispatchRow; holder: DispatchRow; isAdoption: boolean };

export interface ProviderIdentifier {
  vendorAccountId: string;
  sid: string;
}

/**
 * The rows that may lose an identifier to this decision. Evidence that a workspace could have signed
 * by itself affects only rows of that workspace. The provider's response to our own call affects all
 * rows of its account.
 */
export type Reach = 'workspace' | 'account';

/** Contention cannot explain this many rounds: a row that reaches the limit shows a defect. */
const MAX_ROUNDS = 50;

/**
 * Makes a decision about the current row and writes it. If the row has changed in between, reads the
 * row and decides again. `known` saves the first read. Direct evidence takes an identifier from a row
 * that only adopted it by lookup, as far as `reach` allows.
 *
 * @throws Error when the row changes in every one of `MAX_ROUNDS` rounds
 */
export async function applyDecision(
  store: ChangeStore,
  key: MessageKey,
  decide: (row: DispatchRow) => Decision,
  policy: DispatchPolicy,
  { known = null, reach = 'workspace' }: { known?: DispatchRow | null; reach?: Reach } = {},
): Promise<AppliedDecision> {
  const notifications: BusNotification[] = [];
  let displaced: MessageKey | null = null;
  let sharesSid = false;
  let row = known;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    row ??= await store.readRow(key);
    if (row === null) return { kind: 'missing' };
    const { change: decided, duplicateSid } = decide(row);
    const change = sharesSid ? withOwnSid(decided) : decided;
    if (duplicateSid !== null) return { kind: 'duplicate', row, sid: duplicateSid };
    if (change === null) return { kind: 'unchanged', row };

    const result = await store.apply(change);
    if (result.kind === 'applied') {
      if (result.seq !== null)
        notifications.push(notificationOf(key.id, result.workspaceId, result.seq));
      if (displaced !== null)
        notifications.push(...(await reassign(store, displaced, row, policy)));
      return {
        kind: 'changed',
        change,
        notifications,
        newIdentifier: newIdentifierOf(change, row),
      };
    }
    if (result.kind === 'sid_taken') {
      const holder = await findHolder(store, change);
      const isAdoption = change.next.sidAdopted;
      if (change.mayShareSid === true && holder?.sidAdopted !== true && !sharesSid) {
        sharesSid = true;
        row = null;
        continue;
      }
      const isOutOfReach = reach === 'workspace' && holder?.workspaceId !== row.workspaceId;
      if (holder !== null && (isAdoption || !holder.sidAdopted || isOutOfReach)) {
        return { kind: 'sid_held', row, holder, isAdoption };
      }
      if (holder !== null) {
        notifications.push(...(await displace(store, holder, policy)));
        displaced = holder;
      }
    }
    row = null;
  }
  throw new Error(`message ${key.id} kept changing for ${MAX_ROUNDS} rounds`);
}

function withOwnSid(change: Change | null): Change | null {
  if (change === null || change.next.providerSid === null) return change;
  const providerSid = toOwnSid(change.next.providerSid, change.id);
  return { ...change, next: { ...change.next, providerSid } };
}

async function findHolder(store: ChangeStore, { next }: Change): Promise<DispatchRow | null> {
  if (next.providerSid === null || next.vendorAccountId === null) return null;
  return store.findRowByProviderSid(next.vendorAccountId, next.providerSid);
}

/** Takes the identifier from its holder. Tries once: the next round reads a holder that has changed. */
async function displace(
  store: ChangeStore,
  holder: DispatchRow,
  policy: DispatchPolicy,
): Promise<BusNotification[]> {
  return applyOnce(store, decideTakenIdentifier(holder, policy).change);
}

/** Gives the displaced row the identifier that `giver` gave up. Tries once: a later lookup can find it. */
async function reassign(
  store: ChangeStore,
  displaced: MessageKey,
  giver: DispatchRow,
  policy: DispatchPolicy,
): Promise<BusNotification[]> {
  const row = await store.readRow(displaced);
  return row === null ? [] : applyOnce(store, decideGivenUpIdentifier(row, giver, policy).change);
}

async function applyOnce(store: ChangeStore, change: Change | null): Promise<BusNotification[]> {
  if (change === null) return [];
  const result = await store.apply(change);
  if (result.kind !== 'applied' || result.seq === null) return [];
  return [notificationOf(change.id, result.workspaceId, result.seq)];
}

function notificationOf(messageId: string, workspaceId: string, seq: number): BusNotification {
  return { kind: 'message', workspaceId, messageId, seq };
}

function newIdentifierOf({ next }: Change, row: DispatchRow): ProviderIdentifier | null {
  if (next.providerSid === null || next.vendorAccountId === null) return null;
  if (next.providerSid === row.providerSid) return null;
  return { vendorAccountId: next.vendorAccountId, sid: next.providerSid };
}
