/**
 * Returns how many slots a user may have: a part of those that the others leave, so that some are left
 * for the next user.
 */
export function shareOf(part: number, slots: number, usedByOthers = 0): number {
  return Math.ceil((slots - usedByOthers) * part);
}

/** The user of a slot: for example an owner, its workspace, and an endpoint of this. */
export type SlotPath = readonly string[];

export interface FairSlots {
  /**
   * Takes a slot, and waits for one until `deadline` (of `performance.now`). Returns the function that
   * frees it, or null if there was none in time.
   */
  take(path: SlotPath, deadline?: number): Promise<(() => void) | null>;
}

/**
 * Creates slots for work in progress. Each user on a path gets `part` of what its neighbors leave of the
 * slots above it. So users that hang leave slots to all others. Those that wait take turns, so a backlog of
 * one delays another by one turn.
 */
export function createFairSlots({ slots, part }: { slots: number; part: number }): FairSlots {
  let total = 0;
  const used = new Map<string, number>();
  /** Work that waits, by the whole path, in the order of turns. */
  const waiting = new Map<string, { users: string[]; starts: Set<() => void> }>();

  function hasRoom(users: readonly string[]): boolean {
    let [left, usedAbove] = [slots, total];
    for (const user of users) {
      const own = used.get(user) ?? 0;
      left = shareOf(part, left, usedAbove - own);
      if (own >= left) return false;
      usedAbove = own;
    }
    return true;
  }

  function count(users: readonly string[], by: 1 | -1): void {
    total += by;
    for (const user of users) {
      const now = (used.get(user) ?? 0) + by;
      if (now === 0) used.delete(user);
      else used.set(user, now);
    }
  }

  function occupy(users: readonly string[]): () => void {
    count(users, 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      count(users, -1);
      admit();
    };
  }

  function admit(): void {
    for (const [key, entry] of waiting) {
      if (total >= slots) return;
      if (!hasRoom(entry.users)) continue;
      // Moves the user to the end of the order, which this loop reaches again.
      waiting.delete(key);
      waiting.set(key, entry);
      const [start] = entry.starts;
      start?.();
    }
  }

  return {
    async take(path, deadline = Number.POSITIVE_INFINITY) {
      const users = path.map((_, index) => path.slice(0, index + 1).join(' '));
      const key = users.at(-1) ?? '';
      if (!waiting.has(key) && hasRoom(users)) return occupy(users);
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return null;
      return new Promise((resolve) => {
        const entry = waiting.get(key) ?? { users, starts: new Set() };
        const end = (free: (() => void) | null): void => {
          clearTimeout(timer);
          entry.starts.delete(start);
          if (entry.starts.size === 0) waiting.delete(key);
          resolve(free);
        };
        const start = (): void => end(occupy(users));
        const timer = Number.isFinite(leftMs) ? setTimeout(() => end(null), leftMs) : undefined;
        entry.starts.add(start);
        waiting.set(key, entry);
      });
    },
  };
}
