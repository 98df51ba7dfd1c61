import { setTimeout as delay } from 'node:timers/promises';
import { hashToken } from '@switchboard/credentials';
import type { FailureLimit } from '@switchboard/rate-limits';
import { toClientNetwork } from '../auth/client-network.ts';

export interface LoginThrottleOptions {
  /** Failures of one account from one address. */
  pairFailures: FailureLimit;
  /** Failures from one address, whatever the account. */
  addressFailures: FailureLimit;
  /**
   * Failures of one account from anywhere. Must never refuse, because a stranger could then lock
   * the owner out.
   */
  accountFailures: FailureLimit;
}

/** After this many failures of an account, each login to it waits a little longer. */
const SLOW_FROM_FAILURES = 100;
const SLOWER_BY_MS = 100;
const SLOWEST_MS = 4_000;

export type BeginLogin = ReturnType<typeof createLoginThrottle>;

/** Counts a login as failed before the password is checked. */
export function createLoginThrottle(options: LoginThrottleOptions) {
  const { pairFailures, addressFailures, accountFailures } = options;

  /** @throws AppError `rate_limited` when the address has used up its allowed failures. */
  return async function beginLogin(
    ip: string,
    email: string,
  ): Promise<{
    /** Removes the count of a login that did not fail because of its password. */
    uncount(): Promise<void>;
  }> {
    const address = toClientNetwork(ip);
    // The rate-limit store accepts only short keys with a limited character set.
    const account = hashToken(email).toString('base64url');
    const pair = `${account}:${address}`;
    await addressFailures.begin(address);
    await pairFailures.begin(pair);
    const failures = await accountFailures.begin(account);
    const slowerMs = SLOWER_BY_MS * (failures - SLOW_FROM_FAILURES);
    if (slowerMs > 0) await delay(Math.min(slowerMs, SLOWEST_MS));
    return {
      async uncount() {
        await Promise.all([
          addressFailures.succeed(address),
          pairFailures.succeed(pair),
          accountFailures.succeed(account),
        ]);
      },
    };
  };
}
