/** The slot of one item. An item that never calls `begin` keeps its slot until it has run. */
export interface CallSlot {
  /**
   * Waits until the prepared item may call the provider. Resolves with false if it may not, because the slots
   * were closed before.
   */
  begin(): Promise<boolean>;
  /** Frees the slot after a response, while the response is stored. Safe to call twice. */
  end(): void;
}

/** A user of slots, which has at most `limit` calls in flight. */
export interface SlotUser {
  limit: number;
  calls: number;
}

/** The weight of a new duration in the moving average. */
const WEIGHT = 0.05;

/**
 * Creates the slots for calls in flight, and measures how far ahead of a free slot items are prepared.
 *
 * @param monotonic returns the time in milliseconds
 */
export function createCallSlots(concurrency: number, monotonic = () => performance.now()) {
  let calls = 0;
  // In the order in which they were prepared.
  const prepared = new Set<{ user: SlotUser; start(): void; cancel(): void }>();
  let closed = false;
  const preparing = createAverage();
  const calling = createAverage();

  function admit(): void {
    for (const next of prepared) {
      if (calls >= concurrency) return;
      if (next.user.calls >= next.user.limit) continue;
      prepared.delete(next);
      calls += 1;
      next.user.calls += 1;
      next.start();
    }
  }

  return {
    /**
     * Returns how many items may be prepared in addition to those in the slots, as a share of the
     * slots: as many as there are calls that end while one item is prepared. Then neither free
     * slots nor prepared items wait long. Returns 0 until calls have been measured.
     */
    measureLead(): number {
      const [prepareMs, callMs] = [preparing.value, calling.value];
      return prepareMs === null || callMs === null ? 0 : Math.min(1, prepareMs / callMs);
    },

    /** Starts no more calls. Those in flight continue. */
    close(): void {
      closed = true;
      for (const { cancel } of prepared) cancel();
      prepared.clear();
    },

    /** Opens a slot. Calls `onEnd` once, when the item no longer needs the slot. */
    open(user: SlotUser, onEnd: () => void): CallSlot {
      const openedAt = monotonic();
      let beganAt: number | null = null;
      let isOpen = true;
      return {
        begin() {
          preparing.add(monotonic() - openedAt);
          if (closed) return Promise.resolve(false);
          return new Promise<boolean>((resolve) => {
            const start = (): void => {
              beganAt = monotonic();
              resolve(true);
            };
            prepared.add({ user, start, cancel: () => resolve(false) });
            admit();
          });
        },
        end() {
          if (!isOpen) return;
          isOpen = false;
          if (beganAt !== null) {
            calling.add(monotonic() - beganAt);
            calls -= 1;
            user.calls -= 1;
            admit();
          }
          onEnd();
        },
      };
    },
  };
}

function createAverage() {
  let value: number | null = null;
  return {
    get value() {
      return value;
    },
    add(next: number): void {
      value = value === null ? next : value + (next - value) * WEIGHT;
    },
  };
}
