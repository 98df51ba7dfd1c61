import type { WebhookTarget } from '@switchboard/database';

type Owned = Pick<WebhookTarget, 'ownerId' | 'workspaceId' | 'id'>;

/** Deliveries that one worker makes at the same time. Each one uses a connection. */
export const MAX_DELIVERIES = 1_000;

/** A user gets at most a quarter of what the others leave, so that slots are left for the next ones. */
export function quarterOf(slots: number, usedByOthers = 0): number {
  return Math.ceil((slots - usedByOthers) / 4);
}

export interface DeliverySlots {
  /**
   * Takes a slot, and waits for one until `deadline` (of `performance.now`). Returns the function that
   * frees it, or null if there was none in time.
   */
  take(target: Owned, deadline: number): Promise<(() => void) | null>;
}

/**
 * Creates the slots for deliveries in flight. All workspaces of an owner together get at most a quarter
 * of the slots that other owners leave, a workspace a quarter of what the owner's others leave of that,
 * and an endpoint a quarter of what the workspace's others leave. So endpoints that hang delay those of
 * other owners not at all, and their neighbors little.
 */
export function createDeliverySlots(slots = MAX_DELIVERIES): DeliverySlots {
  let total = 0;
  const used = new Map<string, number>();
  // In the order of their arrival. One for each endpoint at most.
  const waiting = new Set<{ target: Owned; start(): void }>();

  const usedBy = (id: string): number => used.get(id) ?? 0;

  function hasRoom({ ownerId, workspaceId, id }: Owned): boolean {
    const [byOwner, byWorkspace, byEndpoint] = [usedBy(ownerId), usedBy(workspaceId), usedBy(id)];
    const ofOwner = quarterOf(slots, total - byOwner);
    const ofWorkspace = quarterOf(ofOwner, byOwner - byWorkspace);
    const ofEndpoint = quarterOf(ofWorkspace, byWorkspace - byEndpoint);
    return byOwner < ofOwner && byWorkspace < ofWorkspace && byEndpoint < ofEndpoint;
  }

  function count({ ownerId, workspaceId, id }: Owned, by: 1 | -1): void {
    total += by;
    for (const key of [ownerId, workspaceId, id]) {
      const now = usedBy(key) + by;
      if (now === 0) used.delete(key);
      else used.set(key, now);
    }
  }

  function occupy(target: Owned): () => void {
    count(target, 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      count(target, -1);
      for (const next of waiting) if (hasRoom(next.target)) next.start();
    };
  }

  return {
    async take(target, deadline) {
      if (hasRoom(target)) return occupy(target);
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return null;
      return new Promise((resolve) => {
        const end = (free: (() => void) | null): void => {
          waiting.delete(entry);
          clearTimeout(timer);
          resolve(free);
        };
        const entry = { target, start: () => end(occupy(target)) };
        const timer = setTimeout(() => end(null), leftMs);
        waiting.add(entry);
      });
    },
  };
}
