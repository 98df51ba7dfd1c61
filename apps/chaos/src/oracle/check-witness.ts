import type { SeenEvent, Witness } from '../witness/watch-workspace.ts';
import type { StoredEvent } from './read-database.ts';
import type { Violation } from './violation.ts';

const CREATING = new Set(['created', 'scheduled', 'received']);

/** What was stored before a restore; what is stored now is what came of the backup. */
export interface BeforeRestore {
  events: readonly StoredEvent[];
  /** Events from here on may not have reached a client; `Date.now()`. */
  stoppedMs: number;
}

/**
 * A client has seen every event of its workspace, each once, and in the order they happened. Over a
 * restore it is told once that events are gone, and from there on sees all that is new.
 */
export function checkWitness(
  { seen, resyncs }: Pick<Witness, 'seen' | 'resyncs'>,
  stored: readonly StoredEvent[],
  before: BeforeRestore | null = null,
): Violation[] {
  const [resync] = resyncs;
  if (resyncs.length !== (before === null ? 0 : 1)) {
    const detail = `was told ${resyncs.length} times that events are gone`;
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

/** The same for all workspaces; `witnesses` are in their order. */
export function checkWitnesses(
  witnesses: readonly Pick<Witness, 'seen' | 'resyncs'>[],
  workspaces: readonly { workspaceId: string }[],
  stored: readonly StoredEvent[],
  before: BeforeRestore | null = null,
): Violation[] {
  return witnesses.flatMap((witness, index) => {
    const isOwn = (event: StoredEvent) => event.workspaceId === workspaces[index]?.workspaceId;
    const own = before && { ...before, events: before.events.filter(isOwn) };
    return checkWitness(witness, stored.filter(isOwn), own);
  });
}

function compare(seen: readonly SeenEvent[], stored: readonly StoredEvent[]): Violation[] {
  const length = Math.max(seen.length, stored.length);
  for (let index = 0; index < length; index += 1) {
    const theirs = seen[index];
    const ours = stored[index];
    const told = theirs === undefined ? 'nothing' : describe(theirs.type, theirs);
    const type = ours !== undefined && CREATING.has(ours.type) ? 'created' : 'updated';
    const happened = ours === undefined ? 'nothing' : describe(`message.${type}`, ours);
    if (told === happened) continue;
    const detail = `event ${index + 1} of ${stored.length}: saw ${told}, and it was ${happened} (saw ${seen.length} in all)`;
    const messageIds = [theirs, ours].flatMap((event) => event?.messageId ?? []);
    // After the first gap everything is shifted.
    return [{ check: 'witness', detail, messageIds }];
  }
  return [];
}

function describe(
  type: string,
  event: { messageId: string; status: string; providerSid: string | null },
): string {
  return `${type} ${event.messageId} ${event.status} ${event.providerSid ?? 'without identifier'}`;
}
