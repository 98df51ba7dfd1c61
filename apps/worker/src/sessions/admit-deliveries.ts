import { setTimeout as delay } from 'node:timers/promises';
import type { RateLimit } from '@switchboard/rate-limits';
import { createFairSlots } from '../fair-slots.ts';

/**
 * Runs the work of a delivery, or rejects with `DeliveryLimitError`. Waits until few deliveries are being
 * stored, of the workspace and in all.
 */
export type AdmitDelivery = (workspaceId: string, work: () => Promise<void>) => Promise<void>;

/** The workspace has received too much: the provider has to deliver it again later. */
export class DeliveryLimitError extends Error {
  override readonly name = 'DeliveryLimitError';
}

/** Fewer than the connections of the pool, so that sends do not wait for deliveries. */
const STORED_AT_ONCE = { slots: 8, part: 3 / 4 };
/**
 * A provider that repeats refused deliveries at once is slowed: it gets the refusal later, and while many
 * wait, its session is not read.
 */
const REFUSED_AFTER_MS = 1_000;

export function createAdmitDelivery({
  limit,
  refusedAfterMs = REFUSED_AFTER_MS,
}: {
  limit: Pick<RateLimit, 'count'>;
  refusedAfterMs?: number;
}): AdmitDelivery {
  const slots = createFairSlots(STORED_AT_ONCE);

  return async function admitDelivery(workspaceId, work) {
    const state = await limit.count({ client: workspaceId });
    const exceeded = state?.exceeded ?? null;
    if (exceeded !== null) {
      await delay(refusedAfterMs);
      throw new DeliveryLimitError(exceeded);
    }
    const free = await slots.take([workspaceId]);
    try {
      await work();
    } finally {
      free?.();
    }
  };
}
