import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '@switchboard/database';
import { createEventBus } from '@switchboard/events';
import type { Stack } from '../test/start-stack.ts';

const TICK_MS = 100;

/**
 * Runs a statement ten times a second, by the clock, until it is stopped. `$1` is the workspace, `$2`
 * how many events to write each time; it returns `seq` and `messageId` of each. Events are written as
 * the service writes them, but many at once: to send and to call back so often would measure the
 * machine that also draws the page.
 */
export function writeEvents(stack: Stack, statement: string, eventsASecond: number) {
  const { workspaceId } = stack.owner;
  const database = createDatabase({
    url: stack.database.url,
    poolSize: 1,
    applicationName: 'events',
    onError: () => undefined,
  });
  const bus = createEventBus({
    redisUrl: null,
    databaseUrl: stack.database.url,
    timeoutMs: 10_000,
    onError: () => undefined,
  });
  const stopping = new AbortController();

  async function run(): Promise<void> {
    let due = performance.now();
    while (!stopping.signal.aborted) {
      const { rows } = await database.pool.query<{ seq: number; messageId: string }>(statement, [
        workspaceId,
        eventsASecond * (TICK_MS / 1_000),
      ]);
      await bus.publish(rows.map((row) => ({ kind: 'message', workspaceId, ...row })));
      due += TICK_MS;
      await pause(Math.max(0, due - performance.now()));
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      await bus.close();
      await database.close();
    },
  };
}
