import { setImmediate as nextTurn } from 'node:timers/promises';
import { CLOSE_CODES } from '@switchboard/contracts';
import {
  countBetween,
  coversAll,
  START_OF_EVENTS,
  type EventPosition,
  unite,
} from '@switchboard/core';
import type { ClientEvent, MessageEventStore } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import {
  type Connection,
  FRAMES_PER_TURN,
  type Feed,
  closeConnection,
  joinLive,
  resyncConnection,
  sendEncoded,
} from './connection.ts';
import { createPageFrames } from './event-frames.ts';

export interface LiveDeliveryOptions {
  events: Pick<MessageEventStore, 'read' | 'readCounters'>;
  feeds: ReadonlyMap<string, Feed>;
  maxBufferedBytes: number;
  /** Receives a connection whose position differs from the feed's. */
  catchUp(connection: Connection): void;
  tracer: Tracer | null;
  onError(error: unknown): void;
}

const MAX_FEEDS = 200;
const MAX_ROWS = 2_000;
/** After a page with this many events, the hub waits to gather more before the next read. */
const BUSY_EVENTS = 16;
const GATHER_MS = 20;

/** The next events of a feed, in order, and the position after them. */
interface NextEvents {
  events: readonly ClientEvent[];
  position: EventPosition;
}

/**
 * Sends new events to the live connections: those that this process has written and whose numbers follow the
 * feed's position without a gap, and those of all workspaces that one query reads after their positions. A
 * notification only says that there may be new events; the numbers decide what is sent. So a lost, repeated or
 * reordered notification only affects the delay.
 */
export function createLiveDelivery(options: LiveDeliveryOptions) {
  const { events, feeds } = options;
  const woken = new Set<Feed>();
  let countersDue = false;
  let running = false;
  let scheduled = false;
  let stopped = false;
  let lastRun = Promise.resolve();

  function start(): void {
    if (!running && !stopped) lastRun = run();
  }

  async function run(): Promise<void> {
    running = true;
    try {
      while (!stopped && (countersDue || woken.size > 0)) {
        if (countersDue) await compareCounters();
        const sent = await sendNext();
        if (sent >= BUSY_EVENTS) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      }
    } catch (error) {
      // Unread events stay behind their counter, and the next comparison finds them.
      options.onError(error);
    } finally {
      running = false;
    }
  }

  async function compareCounters(): Promise<void> {
    countersDue = false;
    const open = [...feeds.values()];
    if (open.length === 0) return;
    const { epoch, positions } = await events.readCounters(open.map((feed) => feed.workspaceId));
    for (const feed of open) {
      feed.counted = positions.get(feed.workspaceId) ?? START_OF_EVENTS;
      feed.reported = feed.counted;
      if (feed.epoch !== epoch) {
        feed.epoch = epoch;
        resyncFeed(feed, feed.counted);
      } else if (!coversAll(feed.counted, feed.position)) {
        // Event numbers only increase, except after the database was restored from a backup.
        resyncFeed(feed, feed.counted);
      } else if (!coversAll(feed.position, feed.counted)) requestRead(feed);
    }
  }

  function requestRead(feed: Feed): void {
    feed.isReadDue = true;
    woken.add(feed);
  }

  /** Sends the next events of woken feeds. Returns the number of events. */
  async function sendNext(): Promise<number> {
    const taken: Feed[] = [];
    for (const feed of woken) {
      if (taken.length === MAX_FEEDS) break;
      woken.delete(feed);
      if (feed.live.size + feed.behind.size > 0) taken.push(feed);
    }
    let sent = 0;
    const unread: Feed[] = [];
    for (const feed of taken) {
      const held = feed.held.takeAfter(feed.position);
      sent += countBetween(feed.position, held.position);
      if (held.events.length > 0) await deliver(feed, held);
      if (feed.isReadDue || !coversAll(feed.position, feed.reported)) unread.push(feed);
      feed.isReadDue = false;
    }
    return unread.length === 0 ? sent : sent + (await readNext(unread));
  }

  /** Returns the number of events. */
  async function readNext(taken: readonly Feed[]): Promise<number> {
    const limit = Math.ceil(MAX_ROWS / taken.length);
    const pages = await events.read(
      taken.map((feed) => ({ workspaceId: feed.workspaceId, after: feed.position })),
      limit,
    );
    let read = 0;
    for (const feed of taken) {
      const page = pages.get(feed.workspaceId);
      if (page === undefined) continue;
      if (page.hasGap) {
        resyncFeed(feed, page.position);
        continue;
      }
      if (!page.isLast) requestRead(feed);
      read += countBetween(feed.position, page.position);
      await deliver(feed, page);
    }
    return read;
  }

  async function deliver(feed: Feed, page: NextEvents): Promise<void> {
    const after = feed.position;
    // Set first, so that a socket that joins during the pause below catches up.
    feed.position = page.position;
    const startedAt = Date.now();
    const sockets = feed.live.size;
    const frames = createPageFrames(feed, page.events);
    let sent = 0;
    for (const connection of feed.live) {
      if (connection.socket.bufferedAmount > options.maxBufferedBytes) {
        closeConnection(connection, CLOSE_CODES.tooSlow);
        continue;
      }
      if (!coversAll(connection.position, after)) {
        options.catchUp(connection);
        continue;
      }
      const { bytes, count } = frames.encodeAfter(connection.position);
      sendEncoded(connection, bytes);
      connection.position = unite(connection.position, page.position);
      sent += count;
      if (sent >= FRAMES_PER_TURN) {
        sent = 0;
        await nextTurn();
      }
    }
    if (options.tracer !== null) traceEvents(options.tracer, page, { startedAt, sockets });
  }

  function schedule(): void {
    if (running || scheduled) return;
    // After the responses of this turn, and once for all events that were stored together.
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      start();
    });
  }

  return {
    /** Reports that there may be new events. */
    wake(feed: Feed): void {
      requestRead(feed);
      schedule();
    },
    /** Reports that there are new events up to `feed.reported`, of which the feed may hold all. */
    wakeReported(feed: Feed): void {
      woken.add(feed);
      schedule();
    },
    /** Reports that notifications may have been lost, so that the counters are queried. */
    check(): void {
      countersDue = true;
      start();
    },
    async stop(): Promise<void> {
      stopped = true;
      await lastRun;
    },
  };
}

function resyncFeed(feed: Feed, position: EventPosition): void {
  feed.position = position;
  feed.held.clear();
  for (const connection of [...feed.live, ...feed.behind]) {
    resyncConnection(connection, position);
    joinLive(connection);
  }
}

/** Records in the trace of each message that its event was sent to clients. */
function traceEvents(
  tracer: Tracer,
  { events }: NextEvents,
  { startedAt, sockets }: { startedAt: number; sockets: number },
): void {
  if (sockets === 0) return;
  for (const { seq, type, message, traceParent } of events) {
    if (traceParent === null) continue;
    tracer
      .startSpan('send event', {
        kind: 'producer',
        parent: traceParent,
        startedAt,
        attributes: {
          'switchboard.event_type': type,
          'switchboard.event_seq': seq,
          'switchboard.status': message.status,
          'switchboard.sockets': sockets,
        },
      })
      .end();
  }
}
