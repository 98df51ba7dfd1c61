import { type ChildProcess, startWorker } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';
const FIVE_MINUTES_MS = 300_000;
/** Shorter than the clock skew. */
const LATER = `now() + interval '4 seconds'`;

/** A module that is loaded first and shifts the wall clock of the process. */
function shiftClock(byMs: number): string {
  const source = `
    const now = Date.now;
    globalThis.Date = class extends Date {
      constructor(...given) { given.length > 0 ? super(...given) : super(now() + ${byMs}); }
      static now() { return now() + ${byMs}; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}

test('workers whose clocks are five minutes fast or slow claim no message too early or twice', async () => {
  const environment = await startEnvironment();
  const { workspaceId } = await environment.addWorkspace();
  // Calls must be in flight when the other worker searches for expired leases.
  await environment.behave({ latency_ms: 700 });
  const start = (byMs: number): Promise<ChildProcess> =>
    startWorker({
      NODE_OPTIONS: shiftClock(byMs),
      DATABASE_URL: environment.databaseUrl,
      TWILIO_API_URL: environment.simulator.url,
      // Far above the time of a call on a busy machine, and far below the difference between the
      // clocks.
      PROVIDER_TIMEOUT_MS: '20000',
      LEASE_MS: '30000',
      UNKNOWN_LOOKUPS_MS: '25000',
      SWEEP_MS: '50',
    });
  const workers = await Promise.all([start(FIVE_MINUTES_MS), start(-FIVE_MINUTES_MS)]);
  onTestFinished(async () => {
    for (const worker of workers) await worker.stop();
  });

  const scheduled = await environment.accept(workspaceId, RECIPIENT, { hint: false });
  const { rows: held } = await environment.database.pool.query<{ until: Date }>(
    `UPDATE message_progress SET not_before = ${LATER}, due_at = ${LATER} WHERE id = $1
     RETURNING not_before AS until`,
    [scheduled.messageId],
  );
  await environment.producer.enqueue([scheduled]);
  const now = await Promise.all(
    Array.from({ length: 10 }, () => environment.accept(workspaceId, RECIPIENT)),
  );
  for (const { messageId } of [...now, scheduled]) {
    const row = await environment.until(messageId, ({ dispatch }) => dispatch === 'accepted');
    expect(row).toMatchObject({ resends: 0, sid_adopted: false });
  }
  expect(await environment.ledger()).toHaveLength(11);
  const { rows } = await environment.database.pool.query(
    `SELECT at >= $2::timestamptz AS in_time FROM message_timeline
     WHERE message_id = $1 AND type = 'attempt_started'`,
    [scheduled.messageId, held[0]?.until],
  );
  expect(rows).toEqual([{ in_time: true }]);
});
