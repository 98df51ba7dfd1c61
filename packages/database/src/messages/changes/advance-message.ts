import { GATHER_WHEN_BUSY, type StatusAdvance } from '@switchboard/core';
import { isBlocked } from '../../sql-error.ts';
import { type AdvancedMessage, advanceMessages } from './advance-messages.ts';
import type { EventWriter } from '../events/event-numbering.ts';
import type { WrittenEvent } from '../events/read-events.ts';
import { isRefused } from './apply-change.ts';
import { createIsolatedBatch } from '../../isolated-batch.ts';

export type AdvanceMessage = (advance: StatusAdvance) => Promise<AdvancedMessage | null>;

/**
 * Writes the provider's status reports, many in one statement, without reading the messages first.
 * Returns null if nothing was written, because the message is not in the state of `StatusAdvance`.
 */
export function createAdvanceMessage(
  writer: EventWriter,
  onEvent?: (event: WrittenEvent) => void,
): AdvanceMessage {
  return createIsolatedBatch<StatusAdvance, AdvancedMessage | null>({
    workspaceOf: ({ account }) => account.workspaceId,
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 20_000,
    gather: GATHER_WHEN_BUSY,
    isCausedByOne: (error) => isBlocked(error) || isRefused(error),
    async run(advances, { lockTimeoutMs, isAlone }) {
      // One statement can update a row only once.
      const first = new Map<string, StatusAdvance>();
      for (const one of advances) if (!first.has(one.messageId)) first.set(one.messageId, one);
      const unique = [...first.values()];
      try {
        const results = await advanceMessages(writer, unique, lockTimeoutMs, onEvent);
        const written = new Map(unique.map((one, index) => [one, results[index] ?? null]));
        return advances.map((one) => written.get(one) ?? null);
      } catch (error) {
        // Nothing is written. The callers then read their messages and write each change, and only the
        // refused change fails.
        if (isAlone && isRefused(error)) return advances.map(() => null);
        throw error;
      }
    },
  });
}
