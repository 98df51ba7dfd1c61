import { openTestDatabase } from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { createEventBus } from '@switchboard/events';
import type { Stack } from '../test/start-stack.ts';

const TICK_MS = 100;

/**
 * Runs a statement ten times a second until it is stopped. `$1` is the workspace and `$2` the number
 * of events to write each time; the statement returns `seq` and `messageId` of each. It writes events
 * as the service does, but in batches: real sends and callbacks at this rate would slow down the
 * machine that also renders the page.
 */
export function writeEvents(stack: Stack, statement: string, eventsPerSecond: number) {
  const { workspaceId } = stack.owner;
  const database = openTestDatabase(stack.database.url);
  const bus = createEventBus({
    redisUrl: null,
    databaseUrl: stack.database.url,
    timeoutMs: 10_000,
    onError: () => undefined,
  });
  const stopping = new AbortController();
  let written = 0;

  async function run(): Promise<void> {
    let due = performance.now();
    while (!stopping.signal.aborted) {
      const { rows } = await database.pool.query<{ seq: number; messageId: string }>(statement, [
        workspaceId,
        eventsPerSecond * (TICK_MS / 1_000),
      ]);
      written += rows.length;
      await bus.publish(rows.map((row) => ({ kind: 'message', workspaceId, ...row })));
      due += TICK_MS;
      await delay(Math.max(0, due - performance.now()));
    }
  }
  const running = run();
  return {
    /** Returns how many events have been written. */
    written: (): number => written,
    async stop() {
      stopping.abort();
      await running;
      await bus.close();
      await database.close();
    },
  };
}
