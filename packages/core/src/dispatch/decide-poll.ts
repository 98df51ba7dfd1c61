import type { FetchOutcome } from '../ports/message-look-up.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';
import { mergeEvidence } from './evidence.ts';

/**
 * Decides what follows from a poll of a message without a final status, whose callbacks may be lost.
 */
export function decidePoll(
  row: DispatchRow,
  response: FetchOutcome,
  policy: DispatchPolicy,
): Decision {
  if (row.dispatch !== 'accepted') return NO_CHANGE;
  if (response.kind === 'found' && response.message.status !== null) {
    const merged = mergeEvidence(row, response.message, policy);
    if (merged.change !== null) return merged;
  }
  const lookups = row.lookups + 1;
  const nextReportInMs = response.kind === 'found' ? response.message.nextReportInMs : undefined;
  // A poll without news only schedules the next one. The timeline does not show it.
  return createChange(row, {
    fields: { lookups },
    dueInMs: nextReportInMs ?? policy.pollsMs[lookups] ?? null,
    event: null,
  });
}
