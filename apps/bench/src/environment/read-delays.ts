import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const SEND_TIMEOUT_MS = 60_000;

/** Reads the times from the creation of a row to the start of its provider call, by the database's clock. */
export const readDelays = (client: pg.Client, ids: readonly string[]): Promise<number[]> =>
  readSpans(client, ids, 'created_at');

/** Reads the times from the scheduled time of a message to the start of its provider call. */
export const readLateness = (client: pg.Client, ids: readonly string[]): Promise<number[]> =>
  readSpans(client, ids, 'scheduled_at');

async function readSpans(
  client: pg.Client,
  ids: readonly string[],
  since: 'created_at' | 'scheduled_at',
): Promise<number[]> {
  const deadline = performance.now() + SEND_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ ms: number }>(
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
