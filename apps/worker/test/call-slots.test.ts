import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { LONG_TIMEOUTS, SLOW_CALLS, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';

type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Makes each claim take much longer than a call. */
async function slowClaims({ database }: Environment): Promise<void> {
  await database.pool.query(`
    CREATE FUNCTION slow_claim() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$;
    CREATE TRIGGER slow_claim BEFORE UPDATE ON message_progress FOR EACH ROW
      WHEN (OLD.dispatch = 'ready' AND NEW.dispatch = 'inflight') EXECUTE FUNCTION slow_claim()`);
}

async function countByDispatch({ database }: Environment): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ dispatch: string; n: number }>(
    'SELECT dispatch, count(*)::int AS n FROM messages GROUP BY dispatch',
  );
  return Object.fromEntries(rows.map(({ dispatch, n }) => [dispatch, n]));
}

test('a worker that stops gives back the messages that it claimed ahead of free slots, without a call', async () => {
  const environment = await startEnvironment();
  const { workspaceId } = await environment.addWorkspace();
  await slowClaims(environment);
  const worker = await environment.startWorker({
    ...SLOW_CALLS,
    WORKER_CONCURRENCY: '2',
    SWEEP_MS: '60000',
  });
  const first = await environment.accept(workspaceId, RECIPIENT);
  await environment.until(first.messageId, (row) => row.dispatch === 'accepted');
  // The worker has measured a slow claim and a fast call, so it claims ahead: one message for each slot, or
  // fewer if the machine was so busy that the call was slow too.
  await environment.database.pool.query('DROP TRIGGER slow_claim ON message_progress');
  await environment.behave({ latency_ms: 12_000 });
  const hints = [];
  for (let i = 0; i < 4; i += 1) hints.push(await environment.accept(workspaceId, RECIPIENT));
  const countInFlight = async () => (await countByDispatch(environment))['inflight'];
  await expect.poll(countInFlight, EVENTUALLY).toBeGreaterThan(2);
  await expect.poll(() => environment.ledger(), EVENTUALLY).toHaveLength(3);
  await worker.stop();
  expect(await countByDispatch(environment)).toEqual({ accepted: 3, ready: 2 });
  expect(await environment.ledger()).toHaveLength(3);

  await environment.behave({ latency_ms: 0 });
  await environment.startWorker(LONG_TIMEOUTS);
  for (const { messageId } of hints) {
    await environment.until(messageId, (row) => row.dispatch === 'accepted');
  }
  expect(await environment.ledger()).toHaveLength(5);
});

test('calls that failed keep their slots until their outcomes are stored and the workspace has slowed down', async () => {
  const environment = await startEnvironment();
  const { workspaceId } = await environment.addWorkspace();
  // The calls fail after their rows are locked.
  await environment.behave({ reject_500: 1, latency_ms: 8_000 });
  // One workspace gets three of four slots.
  const { logs } = await environment.startWorker({ ...LONG_TIMEOUTS, WORKER_CONCURRENCY: '4' });
  for (let i = 0; i < 12; i += 1) await environment.accept(workspaceId, RECIPIENT);
  await expect.poll(() => countByDispatch(environment), EVENTUALLY).toMatchObject({ inflight: 3 });
  const client = await environment.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT FROM message_progress WHERE dispatch = 'inflight' FOR UPDATE`);
    const countFailures = () => logs.filter(({ outcome }) => outcome === 'unknown').length;
    await expect.poll(countFailures, EVENTUALLY).toBe(3);
    await delay(1_000);
    expect(await countByDispatch(environment)).toEqual({ inflight: 3, ready: 9 });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  const countUnknown = async () => (await countByDispatch(environment))['unknown'];
  await expect.poll(countUnknown, EVENTUALLY).toBeGreaterThanOrEqual(3);
});
