import { expect, onTestFinished, test, vi } from 'vitest';
import { SENDER } from './start-smpp-workers.ts';
import { startWithCarrier } from './start-with-carrier.ts';

/** Texts that a carrier gets in different encodings and numbers of parts. */
const KINDS: ((index: number) => string)[] = [
  (index) => `Your code is ${index}`,
  (index) => `Größe №1? ¿Qué? @£$¥ èéùì ${index}`.replace('№', 'No '),
  (index) => `Costs ${index}€ [or {less}] ~ ^ | \\`,
  (index) => `Привет, заказ ${index}`,
  (index) => `Ready 🎉 ${index} 👩‍👩‍👧`,
  (index) => `${index}: ${'A long text in GSM-7, with é and à. '.repeat(12)}`,
  (index) => `${index}: ${'€'.repeat(200)}`,
  (index) => `${index}: ${'Длинный текст 😀 '.repeat(20)}`,
  (index) => `${index}\nsecond line\r\n  third `,
];

function recipientOf(index: number): string {
  return `+1415555${String(index).padStart(4, '0')}`;
}

type Environment = Awaited<ReturnType<typeof startWithCarrier>>;

async function sendMany({ accept, workspaceId }: Environment, count: number): Promise<string[]> {
  const bodies = Array.from(
    { length: count },
    (_, index) => KINDS[index % KINDS.length]?.(index) ?? '',
  );
  for (const [index, body] of bodies.entries()) {
    await accept(workspaceId, recipientOf(index), { from: SENDER, body });
  }
  return bodies;
}

async function expectDelivered(environment: Environment, bodies: readonly string[]): Promise<void> {
  const { carrier, countByStatus } = environment;
  await vi.waitFor(
    async () => expect(await countByStatus()).toEqual({ delivered: bodies.length }),
    {
      timeout: 240_000,
      interval: 200,
    },
  );
  const received = bodies.map((_, index) => carrier.phones.get(recipientOf(index)));
  expect(received).toEqual(bodies.map((body) => [body]));
}

function repeat(everyMs: number, work: () => void): void {
  const timer = setInterval(work, everyMs);
  onTestFinished(() => clearInterval(timer));
}

test('200 texts of all kinds reach a carrier that throttles, unbinds and drops connections: exact, once and delivered', async () => {
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
