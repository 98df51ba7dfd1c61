import type { FaultRecord } from '../nemesis/run-faults.ts';
import type { SeenEvent, Witness } from '../witness/watch-workspace.ts';
import type { StoredEvent } from './read-database.ts';
import type { Violation } from './violation.ts';

const CREATING = new Set(['created', 'scheduled', 'received']);

/**
 * The events stored before a restore. The events stored now are those of the backup and later ones.
 */
export interface BeforeRestore {
  events: readonly StoredEvent[];
  /** Events from this time (`Date.now()`) on may not have reached a client. */
  stoppedMs: number;
}

/**
 * Checks that a client received every event of its workspace once and in order. At a restore, it
 * must receive one resync and then all new events.
 */
export function checkWitness(
  { seen, resyncs }: Pick<Witness, 'seen' | 'resyncs'>,
  stored: readonly StoredEvent[],
  before: BeforeRestore | null = null,
): Violation[] {
  const [resync] = resyncs;
  if (resyncs.length !== (before === null ? 0 : 1)) {
    const detail = `received ${resyncs.length} resync frames`;
    return [{ check: 'witness', detail, messageIds: [] }];
  }
  if (before === null || resync === undefined) return compare(seen, stored);

  const first = seen.slice(0, resync.after);
  const reached = before.events.filter(({ at }, index) => {
    return index < first.length || at.getTime() < before.stoppedMs;
  });
  const second = seen.slice(resync.after);
  const since = stored.filter(({ at }) => at.getTime() > resync.atMs).length;
  const fresh = stored.slice(stored.length - Math.max(second.length, since));
  return [...compare(first, reached), ...compare(second, fresh)];
}

/** Checks the clients of all workspaces. `witnesses` has the order of `workspaces`. */
export function checkWitnesses(
  witnesses: readonly Pick<Witness, 'seen' | 'resyncs'>[],
  workspaces: readonly { workspaceId: string }[],
  stored: readonly StoredEvent[],
  restore: BeforeRestore | null = null,
  happened: readonly Pick<FaultRecord, 'fault'>[] = [],
): Violation[] {
  const failovers = happened.filter(({ fault }) => fault.kind === 'postgres_failover').length;
  return witnesses.flatMap((witness, index) => {
    const isOwn = (event: StoredEvent) => event.workspaceId === workspaces[index]?.workspaceId;
    const own = restore && { ...restore, events: restore.events.filter(isOwn) };
    const events = stored.filter(isOwn);
    return failovers > 0
      ? checkWitnessOfFailovers(witness, events, failovers)
      : checkWitness(witness, events, own);
  });
}

/**
 * Each promotion begins another epoch of events: clients get one `resync` and continue with the
 * next new event. Before, between and after the resyncs they must have received every event, in
 * order, up to the last.
 */
export function checkWitnessOfFailovers(
  { seen, resyncs }: Pick<Witness, 'seen' | 'resyncs'>,
  stored: readonly StoredEvent[],
  failovers: number,
): Violation[] {
  if (resyncs.length > failovers) {
    const detail = `got ${resyncs.length} resyncs in ${failovers} failovers`;
    return [{ check: 'witness', detail, messageIds: [] }];
  }
  const starts = [0, ...resyncs.map(({ after }) => after)];
  let next = 0;
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1];
    const segment = seen.slice(start, end);
    if (index > 0) next = findStart(segment[0], stored, next);
    // The last segment must reach the end; the others end wherever the connection did.
    const meant = stored.slice(next, end === undefined ? undefined : next + segment.length);
    const found = index > 0 && segment.length === 0 ? [] : compare(segment, meant);
    if (found.length > 0) return found;
    next += segment.length;
  }
  return [];
}

function findStart(
  first: SeenEvent | undefined,
  stored: readonly StoredEvent[],
  from: number,
): number {
  if (first === undefined) return from;
  const at = stored.findIndex((event, index) => index >= from && isSame(first, event));
  return at < 0 ? from : at;
}

function compare(seen: readonly SeenEvent[], stored: readonly StoredEvent[]): Violation[] {
  const length = Math.max(seen.length, stored.length);
  for (let index = 0; index < length; index += 1) {
    const theirs = seen[index];
    const ours = stored[index];
    const seenEvent = theirs === undefined ? 'nothing' : describe(theirs.type, theirs);
    const happened = ours === undefined ? 'nothing' : describe(toFrameType(ours), ours);
    if (seenEvent === happened) continue;
    const detail = `event ${index + 1} of ${stored.length}: received ${seenEvent} instead of ${happened} (received ${seen.length} in all)`;
    const messageIds = [theirs, ours].flatMap((event) => event?.messageId ?? []);
    // After the first gap, all later events are shifted.
    return [{ check: 'witness', detail, messageIds }];
  }
  return [];
}

function toFrameType({ type }: StoredEvent): string {
  return `message.${CREATING.has(type) ? 'created' : 'updated'}`;
}

function isSame(seen: SeenEvent, stored: StoredEvent): boolean {
  return describe(seen.type, seen) === describe(toFrameType(stored), stored);
}

function describe(
  type: string,
  event: { messageId: string; status: string; providerSid: string | null },
): string {
  return `${type} ${event.messageId} ${event.status} ${event.providerSid ?? 'without identifier'}`;
}
