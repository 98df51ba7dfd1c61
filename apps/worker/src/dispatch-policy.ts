import { type DispatchPolicy, gapsOf } from '@switchboard/core';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export function createDispatchPolicy(settings: {
  UNKNOWN_LOOKUPS_MS: readonly number[];
  POLL_MS: readonly number[];
}): DispatchPolicy {
  return {
    unknownLookupsMs: gapsOf(settings.UNKNOWN_LOOKUPS_MS),
    pollsMs: gapsOf(settings.POLL_MS),
    backoffMs: SECOND_MS,
    backoffCapMs: 5 * MINUTE_MS,
    credentialsBackoffMs: MINUTE_MS,
    giveUpAfterMs: 24 * 60 * MINUTE_MS,
    random: Math.random,
  };
}
