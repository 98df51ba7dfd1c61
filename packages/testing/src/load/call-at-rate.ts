import { setTimeout as delay } from 'node:timers/promises';
import { repeat } from './repeat.ts';

const TICK_MS = 10;

/**
 * Calls a function at a constant rate, with the number of the call, and without waiting for earlier calls. The
 * returned function stops this, waits for the calls in flight, and throws the error of a call that failed.
 */
export function callAtRate(
  perSecond: number,
  call: (number: number) => Promise<unknown>,
): () => Promise<void> {
  const startedAt = performance.now();
  const inFlight = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let begun = 0;
  const stop = repeat(async () => {
    const due = ((performance.now() - startedAt) * perSecond) / 1_000;
    for (; begun < due; begun += 1) {
      const one = call(begun)
        .then(
          () => undefined,
          (error: unknown) => void failures.push(error),
        )
        .finally(() => inFlight.delete(one));
      inFlight.add(one);
    }
    await delay(TICK_MS);
  });
  return async () => {
    await stop();
    await Promise.all(inFlight);
    if (failures.length > 0) throw failures[0];
  };
}
