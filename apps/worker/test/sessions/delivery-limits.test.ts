import { EVENTUALLY } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RECIPIENT, SENDER } from './start-smpp-workers.ts';
import { startWithCarrier } from './start-with-carrier.ts';

/** A minute for the window of the limit, and one for a busy machine. */
const AFTER_THE_WINDOW = { timeout: 120_000, interval: 200 };

const text = (body: string) => ({
  source_addr_ton: 1,
  source_addr: RECIPIENT.slice(1),
  destination_addr_ton: 1,
  destination_addr: SENDER.slice(1),
  data_coding: 0,
  short_message: body,
});

test('messages and receipts beyond the limit of a workspace get a temporary error, and are stored once when the SMSC delivers them again', async () => {
  const environment = await startWithCarrier({ settings: { RATE_LIMIT_WEBHOOKS: '20' } });
  const { carrier, listReceived, worker } = environment;
  await carrier.isBound();
  const bodies = Array.from({ length: 30 }, (_, index) => `Text ${index}`);
  const delivered = Promise.all(bodies.map((body) => carrier.deliver(text(body))));
  await vi.waitFor(() => expect(carrier.counts.refusedDeliveries).toBeGreaterThanOrEqual(10), {
    ...EVENTUALLY,
  });
  await vi.waitFor(async () => expect((await listReceived()).length).toBe(20), EVENTUALLY);
  await vi.waitFor(
    async () => expect((await listReceived()).toSorted()).toEqual(bodies.toSorted()),
    AFTER_THE_WINDOW,
  );
  expect((await delivered).filter((refusals) => refusals > 0).length).toBe(10);
  const warnings = worker.logs.filter(({ msg }) => String(msg).includes('too many'));
  expect(warnings.length).toBeLessThanOrEqual(3);
});

test('while a burst of 400 messages waits for the database, another workspace sends, and then each is stored once', async () => {
  const environment = await startWithCarrier();
  const { carrier, listReceived, database, accept, until } = environment;
  await carrier.isBound();
  const other = await environment.addWorkspace();
  const lock = await database.pool.connect();
  onTestFinished(() => lock.release(true));
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE session_deliveries');
  const bodies = Array.from({ length: 400 }, (_, index) => `Burst ${index}`);
  const delivered = Promise.all(bodies.map((body) => carrier.deliver(text(body))));
  const countWaiting = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%INSERT INTO session_deliveries%'`,
    );
    return rows[0]?.n ?? 0;
  };
  await vi.waitFor(async () => expect(await countWaiting()).toBe(6), EVENTUALLY);
  // The others could have followed by now.
  const { messageId } = await accept(other.workspaceId, RECIPIENT);
  await until(messageId, ({ dispatch }) => dispatch === 'accepted');
  await vi.waitFor(async () => expect(await countWaiting()).toBe(6), EVENTUALLY);
  await lock.query('ROLLBACK');
  await delivered;
  expect((await listReceived()).toSorted()).toEqual(bodies.toSorted());
});
