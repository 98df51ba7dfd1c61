import { START_OF_EVENTS, lastIn, positionOf } from '@switchboard/core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Environment, type Tenant, createEnvironment } from '../events-environment.ts';

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
/** The epoch of the test database: its first timeline, and no restore. */
export const EPOCH = '0000000100000000';
/** Returns a position in this epoch. */
export const at = (seq: number) => ({ epoch: EPOCH, position: positionOf([seq]) });

/** Counts the events of the tenant in slot 0. */
export async function countEvents({ workspaceId }: Tenant): Promise<number> {
  const { positions } = await environment.events.readCounters([workspaceId]);
  return lastIn(positions.get(workspaceId) ?? START_OF_EVENTS, 0);
}
