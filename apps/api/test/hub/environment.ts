import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Bench, createBench } from '../events-bench.ts';

export let bench: Bench;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useHubBench(): void {
  beforeAll(async () => {
    bench = await createBench({ redisUrl: null, channel: 'hub' });
  });

  afterEach(() => {
    if (bench.errors.length > 0)
      throw new AggregateError(bench.errors, 'background errors of the hub');
  });

  afterAll(() => bench.close());
}

/** A bus that delivers no notifications. */
export const silentBus = { subscribe: () => () => undefined, onGap: () => () => undefined };
export const MIB = 1024 * 1024;
/** Returns a position in the current epoch of the test database. */
export const at = (seq: number) => ({ epoch: null, seq });
