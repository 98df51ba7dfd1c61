import { randomUUID } from 'node:crypto';
import type { SessionDeliveryStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { UsableAccount } from './usable-account.ts';

/** If a connection lives this long after a response, the response has arrived. */
const DELIVERED_AFTER_MS = 5_000;
/** After this time without a response, a provider may deliver again in the same connection. */
const SLOW_MS = 2_000;
/** How often a session checks that this process is running. */
const TICK_MS = 500;
/**
 * For how long after a pause this process may still read what the provider sent during the pause.
 */
const READ_LATE_MS = 2_000;
/**
 * How long after a slow or refused delivery an equal one in the same connection counts as its
 * repeat.
 */
const REPEATED_WITHIN_MS = 60_000;

interface DoubtfulDelivery {
  id: string;
  until: number;
}

/** Identifies the deliveries of one session, so that a repeat has the identifier of the first delivery. */
export function createRepeats(dependencies: {
  deliveries: SessionDeliveryStore;
  account: UsableAccount;
  isHeld(): boolean;
  logger: Logger;
}) {
  const { deliveries, account, logger } = dependencies;
  const { workspaceId, id: providerId } = account;
  let connection = randomUUID();
  let isBound = false;
  /** Deliveries of this connection that the provider may repeat, by their digest. */
  const doubtful = new Map<string, DoubtfulDelivery[]>();
  const inFlight = new Map<string, { isSlow(): boolean; work: Promise<void> }>();
  let answered: { id: string; at: number }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let lastTick = performance.now();
  let readLateUntil = Number.NEGATIVE_INFINITY;

  /**
   * Returns whether a delivery that is read now may have waited for this process, which was suspended or busy.
   * The provider may have repeated it since, so that both are read together.
   */
  function isReadLate(): boolean {
    const now = performance.now();
    if (now - lastTick > SLOW_MS) readLateUntil = now + READ_LATE_MS;
    lastTick = now;
    return now < readLateUntil;
  }

  // After the end of the lease, nothing is stored in this session.
  const ticks = setInterval(() => {
    if (dependencies.isHeld()) isReadLate();
    else clearInterval(ticks);
  }, TICK_MS).unref();

  function scheduleForgetting(): void {
    if (timer !== null || answered.length === 0) return;
    timer = setTimeout(() => {
      timer = null;
      const latest = performance.now() - DELIVERED_AFTER_MS;
      const ids = answered.filter(({ at }) => at <= latest).map(({ id }) => id);
      answered = answered.filter(({ at }) => at > latest);
      // A session that is closing still stores deliveries, but their responses may be lost.
      if (ids.length > 0 && isBound && dependencies.isHeld()) void forget(ids);
      dropOldDoubts();
      scheduleForgetting();
    }, DELIVERED_AFTER_MS + 1);
    timer.unref();
  }

  async function forget(ids: readonly string[]): Promise<void> {
    try {
      await deliveries.forget(workspaceId, ids);
    } catch (error) {
      // The deliveries expire later. Until then, an equal message of another connection counts as a
      // repeat.
      logger.warn({ err: error }, 'failed to delete acknowledged deliveries');
    }
  }

  function dropOldDoubts(): void {
    const now = performance.now();
    for (const [key, all] of doubtful) {
      const rest = all.filter(({ until }) => until > now);
      if (rest.length === 0) doubtful.delete(key);
      else doubtful.set(key, rest);
    }
  }

  function takeDoubtful(key: string): string | undefined {
    dropOldDoubts();
    return doubtful.get(key)?.shift()?.id;
  }

  function addDoubtful(key: string, id: string): void {
    const until = performance.now() + REPEATED_WITHIN_MS;
    doubtful.set(key, [...(doubtful.get(key) ?? []), { id, until }]);
  }

  async function storeOnce(
    digest: Buffer,
    key: string,
    isSlow: () => boolean,
    store: (id: string) => Promise<void>,
  ): Promise<void> {
    const used = connection;
    const delivery = { workspaceId, providerId, digest, connection };
    const id = takeDoubtful(key) ?? (await deliveries.identify(delivery));
    try {
      await store(id);
    } catch (error) {
      if (used === connection) addDoubtful(key, id);
      throw error;
    }
    // If the connection has changed, the response is lost.
    if (used !== connection) return;
    if (isSlow()) addDoubtful(key, id);
    answered.push({ id, at: performance.now() });
    scheduleForgetting();
  }

  return {
    /** Stores a delivery under its identifier. */
    async identify(digest: Buffer, store: (id: string) => Promise<void>): Promise<void> {
      const key = digest.toString('base64');
      const startedAt = performance.now();
      const isLate = isReadLate();
      const isSlow = (): boolean => isLate || performance.now() - startedAt > SLOW_MS;
      const earlier = inFlight.get(key);
      if (earlier?.isSlow()) return earlier.work;
      const work = storeOnce(digest, key, isSlow, store);
      const entry = { isSlow, work };
      inFlight.set(key, entry);
      try {
        await work;
      } finally {
        if (inFlight.get(key) === entry) inFlight.delete(key);
      }
    },

    onStateChange(isBoundNow: boolean): void {
      isBound = isBoundNow;
      if (!isBound) {
        // Done immediately, because a delivery can arrive together with the response to the next
        // bind.
        connection = randomUUID();
        answered = [];
        doubtful.clear();
        inFlight.clear();
        return;
      }
      deliveries.limitRepeats({ workspaceId, providerId, connection }).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to limit the time for repeated deliveries');
      });
    },
  };
}
