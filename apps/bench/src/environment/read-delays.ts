import { setTimeout as delay } from 'node:timers/promises';
import type { BenchEnvironment } from './open-environment.ts';

const SEND_TIMEOUT_MS = 60_000;

/** Sends messages with pauses, and returns their ids and how long each request took. */
export async function sendPeriodically(
  { sendMessage }: BenchEnvironment,
  url: string,
  apiKey: string,
  plan: { count: number; pauseMs: number; scheduledInMs?: number },
): Promise<{ ids: string[]; acceptedInMs: number[] }> {
  const [ids, acceptedInMs]: [string[], number[]] = [[], []];
  const { scheduledInMs } = plan;
  while (ids.length < plan.count) {
    const at = scheduledInMs === undefined ? undefined : new Date(Date.now() + scheduledInMs);
    const startedAt = performance.now();
    ids.push(await sendMessage(url, apiKey, `Message ${ids.length}`, at));
    acceptedInMs.push(performance.now() - startedAt);
    await delay(plan.pauseMs);
  }
  return { ids, acceptedInMs };
}

/**
 * Reads the times from the creation of a row, or the scheduled time of a message, to the start of its provider
 * call, by the database's clock.
 */
export async function readDelays(
  { query }: BenchEnvironment,
  ids: readonly string[],
  since: 'created_at' | 'scheduled_at' = 'created_at',
): Promise<number[]> {
  const deadline = performance.now() + SEND_TIMEOUT_MS;
  for (;;) {
    const rows = await query<{ ms: number }>(
      // The events have an index of message ids alone.
      `SELECT extract(epoch FROM (m.started_at - m.${since}))::float8 * 1000 AS ms
       FROM message_events e JOIN messages m ON m.workspace_id = e.workspace_id AND m.id = e.message_id
       WHERE e.message_id = ANY($1::uuid[]) AND e.message_version = 0 AND m.started_at IS NOT NULL`,
      [ids],
    );
    if (rows.length === ids.length) return rows.map((row) => row.ms);
    if (performance.now() > deadline) {
      throw new Error(`${ids.length - rows.length} messages were not sent within a minute.`);
    }
    await delay(250);
  }
}
