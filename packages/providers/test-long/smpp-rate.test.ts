import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSmpp } from '../test/smpp/open-smpp.ts';
import { startSimulator } from '../test/start-simulator.ts';

const MESSAGES = 20_000;
/** More messages than places in the window are sent at the same time, as a worker does. */
const CALLS = 200;

let simulator: Awaited<ReturnType<typeof startSimulator>>;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

test('one bind with a window of 50 sends 20,000 messages and receives a receipt for each', async ({
  annotate,
}) => {
  const response = await fetch(`${simulator.url}/simulator/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ type: 'smpp' }),
  });
  const { credentials } = (await response.json()) as { credentials: Record<string, string> };
  const port = Number(new URL(simulator.providerUrls.smpp).port);
  const { system_id, password } = credentials;
  const { send, statuses } = await openSmpp(port, {
    callTimeoutMs: 60_000,
    credentials: { system_id, password, window: 50 },
  });

  const sids = new Set<string>();
  let started = 0;
  async function sendNext(): Promise<void> {
    while (started < MESSAGES) {
      const to = `+1415${String((started += 1)).padStart(7, '0')}`;
      const outcome = await send({ to });
      if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
      sids.add(outcome.message.sid);
    }
  }
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CALLS }, sendNext));
  const sentAt = performance.now();
  const delivered = () =>
    new Set(statuses.filter(({ status }) => status === 'delivered').map(({ sid }) => sid));
  await vi.waitFor(() => expect(delivered().size).toBe(MESSAGES), {
    timeout: 120_000,
    interval: 100,
  });
  const receivedAt = performance.now();
  expect(delivered()).toEqual(sids);
  const perSecond = (until: number) => Math.round((MESSAGES * 1_000) / (until - startedAt));
  await annotate(
    `${perSecond(sentAt)} submit_sm/s, ${perSecond(receivedAt)}/s with all receipts stored`,
  );
  // Late repeats would arrive now.
  await delay(1_000);
  expect(statuses).toHaveLength(MESSAGES);
});
