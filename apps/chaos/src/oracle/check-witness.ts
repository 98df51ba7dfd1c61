import type { SeenEvent } from '../witness/watch-workspace.ts';
import type { StoredEvent } from './read-database.ts';
import type { Violation } from './violation.ts';

const CREATING = new Set(['created', 'scheduled', 'received']);

/** A client has seen every event of its workspace, each once, and in the order they happened. */
export function checkWitness(
  seen: readonly SeenEvent[],
  stored: readonly StoredEvent[],
  resyncs: number,
): Violation[] {
  const violations: Violation[] = [];
  if (resyncs > 0) {
    const detail = `was told ${resyncs} times that events are gone`;
    violations.push({ check: 'witness', detail, messageIds: [] });
  }
  const length = Math.max(seen.length, stored.length);
  for (let index = 0; index < length; index += 1) {
    const theirs = seen[index];
    const ours = stored[index];
    const told = theirs === undefined ? 'nothing' : describe(theirs.type, theirs);
    const type = ours !== undefined && CREATING.has(ours.type) ? 'created' : 'updated';
    const happened = ours === undefined ? 'nothing' : describe(`message.${type}`, ours);
    if (told === happened) continue;
    violations.push({
      check: 'witness',
      detail: `event ${index + 1} of ${stored.length}: saw ${told}, and it was ${happened} (saw ${seen.length} in all)`,
      messageIds: [theirs, ours].flatMap((event) => (event === undefined ? [] : [event.messageId])),
    });
    // After the first gap everything is shifted.
    break;
  }
  return violations;
}

function describe(
  type: string,
  event: { messageId: string; status: string; providerSid: string | null },
): string {
  return `${type} ${event.messageId} ${event.status} ${event.providerSid ?? 'without identifier'}`;
}
