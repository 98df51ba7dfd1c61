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
 * Checks that a client received every event of its workspace once, those of each message in order. At a
 * restore, it must receive one resync and then all new events.
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
  if (before === null || resync === undefined) return compare([seen], stored, () => false);

  const first = seen.slice(0, resync.after);
  const second = seen.slice(resync.after);
  return [
    ...compare([first], before.events, ({ at }) => at.getTime() >= before.stoppedMs),
    ...compare([second], stored, ({ at }) => at.getTime() <= resync.atMs),
  ];
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

/** How much the times of consecutive commits may disagree. */
const SLACK_MS = 1_000;

/**
 * Each promotion begins another epoch of events: clients get one `resync` and continue with the next
 * new event. Before, between and after the resyncs they must have received every event, those of
 * each message in order, up to the last.
 */
export function checkWitnessOfFailovers(
  { seen, resyncs }: Pick<Witness, 'seen' | 'resyncs'>,
  stored: readonly StoredEvent[],
  failovers: number,
): Violation[] {
  if (resyncs.length > failovers) {
    const detail = `received ${resyncs.length} resyncs in ${failovers} failovers`;
    return [{ check: 'witness', detail, messageIds: [] }];
  }
  const starts = [0, ...resyncs.map(({ after }) => after)];
  const segments = starts.map((start, index) => seen.slice(start, starts[index + 1]));
  const times = segments.map((segment) => timesOf(segment, stored));
  const gaps = resyncs.map((_, index) => ({
    from: Math.max(...times.slice(0, index + 1).flat()) - SLACK_MS,
    to: Math.min(...times.slice(index + 1).flat()) + SLACK_MS,
  }));
  return compare(segments, stored, ({ at }) =>
    gaps.some(({ from, to }) => at.getTime() >= from && at.getTime() <= to),
  );
}

/** Returns when the events of a segment happened. */
function timesOf(segment: readonly SeenEvent[], stored: readonly StoredEvent[]): number[] {
  const seen = new Set(segment.map((event) => describe(event.type, event)));
  return stored
    .filter((event) => seen.has(describe(toFrameType(event), event)))
    .map(({ at }) => at.getTime());
}

/**
 * Compares what a client received, in segments between resyncs, with the stored events. Events that
 * `mayBeMissing` accepts may be missing where a segment of their message begins or ends.
 */
function compare(
  segments: readonly (readonly SeenEvent[])[],
  stored: readonly StoredEvent[],
  mayBeMissing: (event: StoredEvent) => boolean,
): Violation[] {
  const ours = groupByMessage(stored);
  const theirs = segments.map(groupByMessage);
  const messageIds = new Set([ours, ...theirs].flatMap((groups) => [...groups.keys()]));
  for (const messageId of messageIds) {
    const happened = ours.get(messageId) ?? [];
    let next = 0;
    for (const segment of theirs) {
      const received = (segment.get(messageId) ?? []).map((event) => describe(event.type, event));
      if (received.length === 0) continue;
      let start = next;
      while (start < happened.length && !continuesAt(happened, start, received)) start += 1;
      const skipped = happened.slice(next, start);
      if (start === happened.length || !skipped.every(mayBeMissing)) {
        const all = happened.map((event) => describe(toFrameType(event), event));
        const detail = `received ${received.join(', ')}; the stored events are ${all.join(', ') || 'no events'}`;
        return [{ check: 'witness', detail, messageIds: [messageId] }];
      }
      next = start + received.length;
    }
    const missing = happened.slice(next).find((event) => !mayBeMissing(event));
    if (missing !== undefined) {
      const detail = `did not receive ${describe(toFrameType(missing), missing)}`;
      return [{ check: 'witness', detail, messageIds: [messageId] }];
    }
  }
  return [];
}

function continuesAt(
  happened: readonly StoredEvent[],
  start: number,
  received: readonly string[],
): boolean {
  return received.every((text, index) => {
    const event = happened[start + index];
    return event !== undefined && describe(toFrameType(event), event) === text;
  });
}

function groupByMessage<Event extends { messageId: string }>(
  events: readonly Event[],
): Map<string, Event[]> {
  const groups = new Map<string, Event[]>();
  for (const event of events) {
    const group = groups.get(event.messageId);
    if (group === undefined) groups.set(event.messageId, [event]);
    else group.push(event);
  }
  return groups;
}

function toFrameType({ type }: StoredEvent): string {
  return `message.${CREATING.has(type) ? 'created' : 'updated'}`;
}

function describe(
  type: string,
  event: { messageId: string; status: string; providerSid: string | null },
): string {
  return `${type} ${event.messageId} ${event.status} ${event.providerSid ?? 'without identifier'}`;
}
