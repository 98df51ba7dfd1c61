import type { BusNotice } from '../ports/event-bus.ts';
import { decideGivenUpIdentifier, decideTakenIdentifier } from './decide-taken-identifier.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import type { Change, Decision, DispatchRow } from './dispatch-row.ts';

/** What became of a change. */
export type ApplyResult =
  /** Written; `seq` is null where the change made no event. */
  | { kind: 'applied'; workspaceId: string; seq: number | null }
  /** The row has moved on since it was read: read it again and decide again. */
  | { kind: 'stale' }
  /** Another row holds the provider's identifier. */
  | { kind: 'sid_taken' };

export interface ChangeStore {
  readRow(id: string): Promise<DispatchRow | null>;
  findRowByProviderSid(account: string, sid: string): Promise<DispatchRow | null>;
  apply(change: Change): Promise<ApplyResult>;
}

export type Settled =
  | { kind: 'missing' }
  | { kind: 'unchanged'; row: DispatchRow }
  /** Written; the notices tell the world, the identifier is set when the row has just learned it. */
  | { kind: 'changed'; change: Change; notices: BusNotice[]; learned: LearnedIdentifier | null }
  /** The provider took the message twice. */
  | { kind: 'duplicate'; row: DispatchRow; sid: string }
  /** Another row holds the identifier that this one was about to adopt, or has proved its own. */
  | { kind: 'sid_held'; row: DispatchRow; holder: DispatchRow };

export interface LearnedIdentifier {
  account: string;
  sid: string;
}

/**
 * Whose rows may lose an identifier to this decision. Evidence that a workspace could have signed
 * itself reaches its own rows only; an answer that the provider gave to our own call reaches all
 * rows of the account that it was given for.
 */
export type Reach = 'workspace' | 'account';

/** A row that changes so often under one decision is a defect, not contention. */
const MAX_ROUNDS = 50;

/**
 * Decides on a row as it is and writes the decision; when the row has moved on meanwhile, decides
 * again. `known` spares the first read. An identifier that another row only adopted by look-up is
 * taken back from it for direct evidence, as far as that reaches.
 */
export async function settleMessage(
  store: ChangeStore,
  id: string,
  decide: (row: DispatchRow) => Decision,
  policy: DispatchPolicy,
  { known = null, reach = 'workspace' }: { known?: DispatchRow | null; reach?: Reach } = {},
): Promise<Settled> {
  const notices: BusNotice[] = [];
  let robbed: string | null = null;
  let row = known;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    row ??= await store.readRow(id);
    if (row === null) return { kind: 'missing' };
    const { change, duplicateSid } = decide(row);
    if (duplicateSid !== null) return { kind: 'duplicate', row, sid: duplicateSid };
    if (change === null) return { kind: 'unchanged', row };

    const result = await store.apply(change);
    if (result.kind === 'applied') {
      if (result.seq !== null) notices.push(noticeOf(id, result.workspaceId, result.seq));
      if (robbed !== null) notices.push(...(await giveTo(store, robbed, row, policy)));
      return { kind: 'changed', change, notices, learned: learnedBy(change, row) };
    }
    if (result.kind === 'sid_taken') {
      const holder = await findHolder(store, change);
      const isOutOfReach = reach === 'workspace' && holder?.workspaceId !== row.workspaceId;
      if (holder !== null && (change.next.sidAdopted || !holder.sidAdopted || isOutOfReach)) {
        return { kind: 'sid_held', row, holder };
      }
      if (holder !== null) {
        notices.push(...(await takeBack(store, holder, policy)));
        robbed = holder.id;
      }
    }
    row = null;
  }
  throw new Error(`message ${id} kept changing for ${MAX_ROUNDS} rounds`);
}

async function findHolder(store: ChangeStore, { next }: Change): Promise<DispatchRow | null> {
  if (next.providerSid === null || next.providerAccount === null) return null;
  return store.findRowByProviderSid(next.providerAccount, next.providerSid);
}

/** One try: should the holder have moved on, the next round finds it as it is then. */
async function takeBack(
  store: ChangeStore,
  holder: DispatchRow,
  policy: DispatchPolicy,
): Promise<BusNotice[]> {
  const { change } = decideTakenIdentifier(holder, policy);
  if (change === null) return [];
  const result = await store.apply(change);
  if (result.kind !== 'applied' || result.seq === null) return [];
  return [noticeOf(holder.id, result.workspaceId, result.seq)];
}

/** One try: what it fails to give, a look-up may still find. */
async function giveTo(
  store: ChangeStore,
  id: string,
  giver: DispatchRow,
  policy: DispatchPolicy,
): Promise<BusNotice[]> {
  const row = await store.readRow(id);
  const change = row === null ? null : decideGivenUpIdentifier(row, giver, policy).change;
  if (change === null) return [];
  const result = await store.apply(change);
  if (result.kind !== 'applied' || result.seq === null) return [];
  return [noticeOf(id, result.workspaceId, result.seq)];
}

function noticeOf(messageId: string, workspaceId: string, seq: number): BusNotice {
  return { kind: 'message', workspaceId, messageId, seq };
}

function learnedBy({ next }: Change, row: DispatchRow): LearnedIdentifier | null {
  if (next.providerSid === null || next.providerAccount === null) return null;
  if (next.providerSid === row.providerSid) return null;
  return { account: next.providerAccount, sid: next.providerSid };
}
