import type { Mode } from '@switchboard/core';
import type { RetentionStore } from '@switchboard/database';
import type { Pace } from './pace.ts';

export interface DeleteOldOptions {
  /** Deletes only data of this mode. */
  mode: Mode;
  /** Null keeps all messages. */
  messageDays: number | null;
  eventDays: number;
  /** Only counts. */
  isDryRun: boolean;
  pace: Pace;
  /** Ends the run after the current step. */
  signal: AbortSignal;
  report(line: string): void;
}

const DAY_MS = 86_400_000;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const WORKSPACES_AT_ONCE = 1_000;

/** Deletes events first, and then only messages without events, so that no cursor misses an event. */
export async function deleteOld(store: RetentionStore, options: DeleteOldOptions): Promise<void> {
  const { isDryRun, messageDays, mode } = options;
  const report = (line: string) => options.report(mode === 'test' ? `Test mode: ${line}` : line);
  const { now, openSince } = await store.readHorizons();
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  const eventsBefore = daysAgo(options.eventDays);
  const done = isDryRun ? 'would be deleted' : 'deleted';

  const eventsStartedAt = performance.now();
  const events = await deleteEvents(store, eventsBefore, options);
  report(
    `Events before ${eventsBefore.toISOString()}: ${events} ${done}, ${since(eventsStartedAt)}.`,
  );
  if (!isDryRun) await repeat(store.deleteUnsentEvents, eventsBefore, options);
  if (messageDays === null) return;

  const before = daysAgo(messageDays);
  const messagesStartedAt = performance.now();
  const { deleted, kept } = await deleteMessages(
    store,
    { before, openSince, eventsBefore },
    options,
  );
  report(
    `Messages before ${before.toISOString()}: ${deleted} ${done}, ` +
      `${kept} kept because they are unfinished or have changed since, ${since(messagesStartedAt)}.`,
  );
  // The search index still has the words of the deleted messages.
  if (!isDryRun) await repeat(store.trimChunks, before, options);
}

/** Repeats a step that returns how much it did until it does less than it may. */
async function repeat(
  step: (old: { mode: Mode; before: Date; limit: number }) => Promise<number>,
  before: Date,
  { mode, pace, signal }: DeleteOldOptions,
): Promise<void> {
  let isDone = false;
  while (!isDone && !signal.aborted) {
    await pace(async (limit) => {
      isDone = (await step({ mode, before, limit })) < limit;
    });
  }
}

async function deleteEvents(
  store: RetentionStore,
  before: Date,
  { mode, isDryRun, pace, signal }: DeleteOldOptions,
): Promise<number> {
  const step = isDryRun ? store.countEvents : store.deleteEvents;
  let total = 0;
  let afterId = LOWEST_ID;
  for (;;) {
    const query = { mode, before, afterId, limit: WORKSPACES_AT_ONCE };
    const workspaces = await store.listWorkspacesWithOldEvents(query);
    const starts = workspaces.flatMap(({ workspaceId, afterSeqs }) =>
      afterSeqs.map((start) => ({ workspaceId, start })),
    );
    for (const { workspaceId, start } of starts) {
      let afterSeq = start;
      let isDone = false;
      while (!isDone && !signal.aborted) {
        await pace(async (limit) => {
          const { count, lastSeq } = await step({ workspaceId, before, afterSeq, limit });
          total += count;
          afterSeq = lastSeq;
          isDone = count < limit;
        });
      }
    }
    afterId = workspaces.at(-1)?.workspaceId ?? afterId;
    if (workspaces.length < WORKSPACES_AT_ONCE || signal.aborted) return total;
  }
}

async function deleteMessages(
  store: RetentionStore,
  horizons: { before: Date; openSince: Date | null; eventsBefore: Date },
  { mode, isDryRun, pace, signal }: DeleteOldOptions,
): Promise<{ deleted: number; kept: number }> {
  const step = isDryRun ? store.countMessages : store.deleteMessages;
  let deleted = 0;
  let scanned = 0;
  let lastWorkspace = LOWEST_ID;
  for (;;) {
    const { before } = horizons;
    const query = { mode, before, afterId: lastWorkspace, limit: WORKSPACES_AT_ONCE };
    const workspaces = await store.listWorkspacesWithOldMessages(query);
    for (const { workspaceId } of workspaces) {
      let afterId: string | null = LOWEST_ID;
      while (afterId !== null && !signal.aborted) {
        const from: string = afterId;
        afterId = await pace(async (limit) => {
          const done = await step({ ...horizons, workspaceId, afterId: from, limit });
          deleted += done.count;
          scanned += done.scanned;
          return done.scanned < limit ? null : done.lastId;
        });
      }
    }
    lastWorkspace = workspaces.at(-1)?.workspaceId ?? lastWorkspace;
    if (workspaces.length < WORKSPACES_AT_ONCE || signal.aborted) break;
  }
  return { deleted, kept: scanned - deleted };
}

function since(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
