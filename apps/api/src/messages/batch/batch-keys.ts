import { setTimeout as delay } from 'node:timers/promises';
import { type SendBatchResponse, refuse, routes } from '@switchboard/contracts';
import { AppError, type Clock, createUuidV7 } from '@switchboard/core';
import type { ClaimedKey, IdempotencyStore } from '@switchboard/database';

export interface BatchKeyDependencies {
  idempotency: Pick<IdempotencyStore, 'find' | 'claim' | 'finish' | 'release'>;
  clock: Clock;
  /** Whether this process is about to end, so that no request may wait. */
  isEnding(): boolean;
  /** Called if a key could not be freed. A repeat then waits until the lease has ended. */
  onReleaseFailed(error: unknown): void;
}

export interface BatchOutcome {
  response: SendBatchResponse;
  /** False if a repeat may send what this request could not. */
  isFinal: boolean;
}

/** Longer than storing a batch takes. After this time, the process that stored it may have ended. */
const LEASE_MS = 15_000;
const POLL_MS = 100;
const LONGEST_WAIT_MS = 25_000;

/**
 * Creates the function that runs the batch of an Idempotency-Key, unless another request with the key has its response. A
 * batch is stored in several statements, so its key is taken before them. A request that finds the key taken waits for
 * the response, or continues the batch after the lease: no send of it is stored twice, because each has a key too.
 */
export function createRunOnce({ idempotency, clock, ...dependencies }: BatchKeyDependencies) {
  return async function runOnce(
    { workspaceId, key, fingerprint }: { workspaceId: string; key: string; fingerprint: Buffer },
    /** `isContinued`: another request has begun the batch, and counted its sends. */
    run: (isContinued: boolean) => Promise<BatchOutcome>,
  ): Promise<{ response: SendBatchResponse; replayed: boolean }> {
    const claimed = { id: createUuidV7(clock.now()), workspaceId, key };
    const until = clock.monotonic() + LONGEST_WAIT_MS;
    for (;;) {
      const stored = await idempotency.find(workspaceId, key);
      if (stored !== null && !stored.fingerprint.equals(fingerprint)) {
        throw refuse(routes.sendBatch, 'idempotency_key_reused');
      }
      // The fingerprint includes the route.
      if (stored?.response)
        return { response: stored.response as SendBatchResponse, replayed: true };
      const isFree = stored === null || stored.ageMs > LEASE_MS;
      if (isFree && (await idempotency.claim(claimed, fingerprint, LEASE_MS))) {
        const response = await runClaimed(claimed, () => run(stored !== null));
        if (response !== null) return { response, replayed: false };
      }
      if (clock.monotonic() > until || dependencies.isEnding()) throw stillRunning();
      await delay(POLL_MS);
    }
  };

  /** Returns null if another request has taken the key after the lease, and has or gets the response. */
  async function runClaimed(
    claimed: ClaimedKey,
    run: () => Promise<BatchOutcome>,
  ): Promise<SendBatchResponse | null> {
    const release = () => idempotency.release(claimed).catch(dependencies.onReleaseFailed);
    const { response, isFinal } = await run().catch(async (error: unknown) => {
      await release();
      throw error;
    });
    if (!isFinal) {
      await release();
      return response;
    }
    try {
      return (await idempotency.finish(claimed, response)) ? response : null;
    } catch (cause) {
      const detail =
        'The messages are stored; retry with the same Idempotency-Key for the response';
      throw new AppError('send_failed', detail, { cause });
    }
  }
}

function stillRunning(): AppError {
  const detail =
    'The first request with this Idempotency-Key is still processed; retry with the same key';
  return new AppError('service_unavailable', detail, { retryAfterSeconds: 1 });
}
