/** Something to be done; `id` tells repetitions, `lane` whom it is done for. */
export interface LaneItem {
  id: string;
  lane: string;
}

/** How an item went, as far as its lane is concerned. */
export interface LaneVerdict {
  /** The other side answered, or kept silent; null when it was not asked. */
  healthy: boolean | null;
  /** How long nothing more of the lane is to be started. */
  pauseMs: number;
  /** It must be done again. */
  again: boolean;
}

export interface LanesOptions<Item extends LaneItem> {
  /** Items under way at one time, over all lanes. */
  concurrency: number;
  /** Items waiting in one lane; more are refused. */
  maxWaiting: number;
  /** Items waiting in all lanes: beyond it, a lane with fewer takes the place of one in the longest. */
  maxWaitingInAll: number;
  /** Must not throw. */
  run(item: Item): Promise<LaneVerdict>;
}

export interface Lanes<Item extends LaneItem> {
  /** Never waits. False when the lane is full or all has been stopped. */
  add(item: Item): boolean;
  /**
   * Resolves when the lane has little waiting, and after `patienceMs` in any case: whoever brings
   * more leaves a backlog where it is, for others to share, and yet never stops at a lane that
   * stands still. At once for a lane whose other side fails.
   */
  whenRoom(lane: string, patienceMs: number): Promise<void>;
  /** Starts nothing more of the lane; what waits there stays. */
  hold(lane: string): void;
  /** Holds these lanes and no others. */
  holdOnly(held: ReadonlySet<string>): void;
  /**
   * How many more items there is room for: in all, in each lane that has some waiting, and in any
   * other. A few are taken when all is full, too: they take the place of others in longer lanes.
   */
  measureRoom(): { limit: number; room: Map<string, number>; roomOfOthers: number };
  /** Waiting, not under way. */
  readonly waiting: number;
  readonly underWay: number;
  /** Starts nothing more and hands back what was waiting. */
  stop(): Item[];
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

interface Lane<Item> {
  waiting: Map<string, Item>;
  underWay: number;
  /** Of its items under way: halves with every failure, grows by one with every success. */
  limit: number;
  pausedUntil: number;
  timer: NodeJS.Timeout | null;
  /** Those who wait for room. */
  whenRoom: Set<() => void>;
}

/**
 * One queue for each workspace, in memory, and fair between them: lanes take turns, so a backlog
 * of one delays another by a turn. A quarter of the slots is never one lane's alone, and a lane
 * whose provider fails or hangs is soon down to one slot, until it answers again. So a provider
 * that is down costs the others nothing but that one slot.
 *
 * What waits here is hints and other reminders: losing them with the process loses nothing.
 */
export function createLanes<Item extends LaneItem>(options: LanesOptions<Item>): Lanes<Item> {
  const { concurrency, maxWaiting, maxWaitingInAll } = options;
  const most = concurrency - Math.floor(concurrency / 4);
  const lanes = new Map<string, Lane<Item>>();
  // Those with something waiting, in the order of their turns.
  const turns = new Set<string>();
  let held: ReadonlySet<string> = new Set();
  let waiting = 0;
  let underWay = 0;
  let stopped = false;
  let whenIdle: (() => void)[] = [];

  function laneOf(key: string): Lane<Item> {
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = {
        waiting: new Map(),
        underWay: 0,
        limit: most,
        pausedUntil: 0,
        timer: null,
        whenRoom: new Set(),
      };
      lanes.set(key, lane);
    }
    return lane;
  }

  function start(): void {
    for (const key of turns) {
      if (stopped || underWay >= concurrency) return;
      const lane = laneOf(key);
      if (lane.underWay >= lane.limit || lane.pausedUntil > performance.now() || held.has(key)) {
        continue;
      }
      const [item] = lane.waiting.values();
      turns.delete(key);
      if (item === undefined) continue;
      lane.waiting.delete(item.id);
      waiting -= 1;
      if (hasRoom(lane)) wake(lane);
      // To the back, which this loop reaches again.
      if (lane.waiting.size > 0) turns.add(key);
      void work(item, lane);
    }
  }

  /** As much as can be under way at once is kept ready, so that nobody waits for the next. */
  function hasRoom(lane: Lane<Item>): boolean {
    return lane.waiting.size < concurrency;
  }

  function wake(lane: Lane<Item>): void {
    for (const end of lane.whenRoom) end();
  }

  async function work(item: Item, lane: Lane<Item>): Promise<void> {
    underWay += 1;
    lane.underWay += 1;
    const verdict = await options.run(item);
    underWay -= 1;
    lane.underWay -= 1;
    if (verdict.healthy === true) lane.limit = Math.min(most, lane.limit + 1);
    if (verdict.healthy === false) lane.limit = Math.max(1, Math.floor(lane.limit / 2));
    if (verdict.pauseMs > 0) pause(lane, verdict.pauseMs);
    if (verdict.again) add(item);
    forgetIfIdle(item.lane, lane);
    start();
    if (underWay === 0) {
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    }
  }

  function pause(lane: Lane<Item>, pauseMs: number): void {
    const until = performance.now() + pauseMs;
    if (stopped || until <= lane.pausedUntil) return;
    lane.pausedUntil = until;
    if (lane.timer !== null) clearTimeout(lane.timer);
    lane.timer = setTimeout(() => {
      lane.timer = null;
      lane.pausedUntil = 0;
      start();
    }, pauseMs);
  }

  /** A lane that has nothing to remember is not kept. */
  function forgetIfIdle(key: string, lane: Lane<Item>): void {
    if (lane.underWay + lane.waiting.size > 0 || lane.limit < most || lane.timer !== null) return;
    lanes.delete(key);
  }

  /** Whether one more may wait in the lane; drops the last of the longest lane if it must. */
  function makeRoom(lane: Lane<Item>): boolean {
    if (lane.waiting.size >= maxWaiting) return false;
    if (waiting < maxWaitingInAll) return true;
    let longest = lane;
    for (const other of lanes.values()) {
      if (other.waiting.size > longest.waiting.size) longest = other;
    }
    if (longest.waiting.size <= lane.waiting.size + 1) return false;
    const last = [...longest.waiting.keys()].at(-1);
    if (last !== undefined && longest.waiting.delete(last)) waiting -= 1;
    return true;
  }

  function add(item: Item): boolean {
    if (stopped) return false;
    const lane = laneOf(item.lane);
    if (!lane.waiting.has(item.id)) {
      if (!makeRoom(lane)) {
        forgetIfIdle(item.lane, lane);
        return false;
      }
      waiting += 1;
    }
    // Of one that waits already, the newer is kept, in the older's place.
    lane.waiting.set(item.id, item);
    turns.add(item.lane);
    start();
    return true;
  }

  return {
    add,
    async whenRoom(key, patienceMs) {
      const lane = lanes.get(key);
      const isStanding = lane === undefined || lane.limit < most || held.has(key);
      if (stopped || isStanding || hasRoom(lane)) return;
      await new Promise<void>((resolve) => {
        function end(): void {
          clearTimeout(timer);
          lane?.whenRoom.delete(end);
          resolve();
        }
        const timer = setTimeout(end, patienceMs);
        lane.whenRoom.add(end);
      });
    },
    hold(key) {
      held = new Set([...held, key]);
    },
    holdOnly(keys) {
      held = keys;
      start();
    },
    measureRoom() {
      const room = new Map<string, number>();
      for (const [key, lane] of lanes) {
        if (lane.waiting.size > 0) room.set(key, maxWaiting - lane.waiting.size);
      }
      const limit = Math.max(concurrency, maxWaitingInAll - waiting);
      return { limit, room, roomOfOthers: maxWaiting };
    },
    get waiting() {
      return waiting;
    },
    get underWay() {
      return underWay;
    },
    stop() {
      stopped = true;
      const left: Item[] = [];
      for (const lane of lanes.values()) {
        left.push(...lane.waiting.values());
        lane.waiting.clear();
        wake(lane);
        if (lane.timer !== null) clearTimeout(lane.timer);
      }
      waiting = 0;
      turns.clear();
      return left;
    },
    async idle() {
      if (underWay > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
  };
}
