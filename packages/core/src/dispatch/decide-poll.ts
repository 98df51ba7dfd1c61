import type { FetchOutcome } from '../ports/provider-adapter.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';
import { mergeEvidence } from './evidence.ts';

/** The provider was asked for a message that stays unfinished: its callbacks may be lost. */
export function decidePoll(
  row: DispatchRow,
  answer: FetchOutcome,
  policy: DispatchPolicy,
): Decision {
  if (row.dispatch !== 'accepted') return NO_CHANGE;
  if (answer.kind === 'found' && answer.message.status !== null) {
    const merged = mergeEvidence(row, answer.message, policy);
    if (merged.change !== null) return merged;
  }
  const lookups = row.lookups + 1;
  // A poll that tells nothing new only sets the next one; it is no event in a message's life.
  return createChange(row, {
    fields: { lookups },
    dueInMs: policy.pollsMs[lookups] ?? null,
    event: null,
  });
}
