import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Environment, createEnvironment } from '../events-environment.ts';

export let environment: Environment;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useHubEnvironment(): void {
  beforeAll(async () => {
    environment = await createEnvironment({ redisUrl: null, channel: 'hub' });
  });

  afterEach(() => {
    if (environment.errors.length > 0)
      throw new AggregateError(environment.errors, 'background errors of the hub');
  });

  afterAll(() => environment.close());
}

/** A bus that delivers no notifications. */
export const silentBus = { subscribe: () => () => undefined, onGap: () => () => undefined };
export const MIB = 1024 * 1024;
/** Returns a position in the current epoch of the test database. */
export const at = (seq: number) => ({ epoch: null, seq });
