import { expect, onTestFinished, test, vi } from 'vitest';
import { CARRIER_TEXTS } from './carrier-texts.ts';
import { SENDER } from './start-smpp-workers.ts';
import { startWithCarrier } from './start-with-carrier.ts';

function recipientOf(index: number): string {
  return `+1415555${String(index).padStart(4, '0')}`;
}

type Environment = Awaited<ReturnType<typeof startWithCarrier>>;

async function sendMany({ accept, workspaceId }: Environment, count: number) {
  const sent = Array.from({ length: count }, (_, index) => ({
    ...(CARRIER_TEXTS[index % CARRIER_TEXTS.length] ?? { body: '', parts: 0 }),
    to: recipientOf(index),
  }));
  for (const { to, body } of sent) await accept(workspaceId, to, { from: SENDER, body });
  return sent;
}

async function expectDelivered(
  environment: Environment,
  sent: Awaited<ReturnType<typeof sendMany>>,
): Promise<void> {
  const { carrier, countByStatus } = environment;
  await vi.waitFor(async () => expect(await countByStatus()).toEqual({ delivered: sent.length }), {
    timeout: 240_000,
    interval: 200,
  });
  const received = sent.map(({ to }) => ({
    to,
    bodies: carrier.phones.get(to),
    parts: carrier.received.get(to),
  }));
  expect(received).toEqual(sent.map(({ to, body, parts }) => ({ to, bodies: [body], parts })));
  expect(carrier.violations).toEqual([]);
}

function repeat(everyMs: number, work: () => void): void {
  const timer = setInterval(work, everyMs);
  onTestFinished(() => clearInterval(timer));
}

test('200 texts of all kinds reach a carrier that throttles, unbinds and drops connections: exact, in as few parts as possible, once and delivered, by PDUs that SMPP 3.4 permits', async () => {
  const environment = await startWithCarrier({ perSecond: 30 });
  const { carrier } = environment;
  await carrier.isBound();
  repeat(2_500, carrier.unbind);
  repeat(3_500, carrier.drop);
  await expectDelivered(environment, await sendMany(environment, 200));
  // The pace follows the limit, so few messages are throttled.
  expect(carrier.counts.throttled).toBeGreaterThan(0);
  expect(carrier.counts.throttled).toBeLessThan(carrier.counts.accepted / 2);
  expect(carrier.counts.binds).toBeGreaterThan(2);
});

test('an account with a window of 1 at a slow carrier is called as fast as it responds, and stays in use', async () => {
  const environment = await startWithCarrier({
    latencyMs: 300,
    credentials: { window: 1 },
    // Few messages get the slot of the window within half of the time.
    settings: { PROVIDER_TIMEOUT_MS: '4000' },
  });
  const { carrier, worker } = environment;
  await carrier.isBound();
  await expectDelivered(environment, await sendMany(environment, 30));
  const messages = worker.logs.map(({ msg }) => msg);
  expect(messages).not.toContain('circuit breaker opened');
});
