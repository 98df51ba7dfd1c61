/**
 * The timings of a run are the defaults of production, forty to sixty times shorter. A timing within
 * which a process must act is at least a second, because a machine under test is slow.
 *
 * The timings must satisfy the assumption of the service:
 *
 *     hold > call timeout + the provider's latest acceptance + the lag of its list
 *
 * Here the hold is 10 s, a call ends after 1.5 s, the carrier accepts at most 2 s late, and its list has
 * no lag. The rest is a margin for processes that wait for the CPU.
 */
const CALL_TIMEOUT_MS = 1_500;
const LEASE_MS = 4_000;
const LOOKUPS_MS = [2_500, 5_000, 10_000] as const;
export const HOLD_MS = 10_000;
/** Measured from the request, and shorter than the hold. */
export const LATEST_ACCEPTANCE_MS = 2_000;
/** Breaks the assumption in the negative control. */
export const BEYOND_THE_HOLD_MS = HOLD_MS + 8_000;
/** A process that is stopped for this long has lost its leases. */
export const STOPPED_MS = { min: LEASE_MS + 500, max: LEASE_MS + 2_500 };

export const SERVICE_SETTINGS: Record<string, string> = {
  PROVIDER_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
  LEASE_MS: String(LEASE_MS),
  UNKNOWN_LOOKUPS_MS: LOOKUPS_MS.join(','),
  POLL_MS: '1500,3000,6000,12000,24000,48000,96000,192000',
  SWEEP_MS: '200',
  WORKER_CONCURRENCY: '20',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
  WEBHOOK_TIMEOUT_MS: '1500',
  WEBHOOK_RETRIES_MS: Array.from({ length: 20 }, (_, n) => 250 * (n + 1)).join(','),
  // These runs do not test rate limits.
  RATE_LIMIT_MESSAGING: '1000000',
  RATE_LIMIT_UI: '1000000',
  LOG_LEVEL: 'info',
};
