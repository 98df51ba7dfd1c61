import { setImmediate as nextTurn } from 'node:timers/promises';
import { CLOSE_CODES } from '@switchboard/contracts';
import type { EventPage, MessageEventStore } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import {
  type Connection,
  type Feed,
  closeConnection,
  joinLive,
  resyncConnection,
  sendFrames,
} from './connection.ts';
import { serializeEvents } from './event-frames.ts';

export interface LiveDeliveryOptions {
  events: Pick<MessageEventStore, 'read' | 'readCounters'>;
  feeds: ReadonlyMap<string, Feed>;
  maxBufferedBytes: number;
  /** Gets a connection that is not where the feed is. */
  catchUp(connection: Connection): void;
  tracer: Tracer | null;
  onError(error: unknown): void;
}

const MAX_FEEDS = 200;
const MAX_ROWS = 2_000;
/** Frames sent before others get their turn. */
const FRAMES_PER_TURN = 1_000;
/** A page with so many events tells of a busy time: more is gathered before the next is read. */
const BUSY_EVENTS = 16;
const GATHER_MS = 20;

/**
 * Reads on in every workspace that has something new, with one query for all of them, and hands it
 * to the live connections. What wakes it says only that there may be something; what it sends is
 * what the table holds after the feed's position. So a notification that is lost, doubled or out of
 * order changes nothing but the time.
 */
export function createLiveDelivery(options: LiveDeliveryOptions) {
  const { events, feeds } = options;
  const woken = new Set<Feed>();
  let countersDue = false;
  let running = false;
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
        const read = await readOn();
        if (read >= BUSY_EVENTS) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      }
    } catch (error) {
      // Whatever was not read stays behind its counter: the next comparison finds it.
      options.onError(error);
    } finally {
      running = false;
    }
  }

  async function compareCounters(): Promise<void> {
    countersDue = false;
    const asked = [...feeds.values()];
    if (asked.length === 0) return;
    const { epoch, lastSeqs } = await events.readCounters(asked.map((feed) => feed.workspaceId));
    for (const feed of asked) {
      feed.counted = lastSeqs.get(feed.workspaceId) ?? 0;
      if (feed.epoch !== epoch) {
        feed.epoch = epoch;
        resyncFeed(feed, feed.counted);
      } else if (feed.counted > feed.position) woken.add(feed);
      // Numbers only grow, save when the database went back to a backup.
      else if (feed.counted < feed.position) resyncFeed(feed, feed.counted);
    }
  }

  /** How many events there were. */
  async function readOn(): Promise<number> {
    const taken: Feed[] = [];
    for (const feed of woken) {
      if (taken.length === MAX_FEEDS) break;
      woken.delete(feed);
      if (feed.live.size + feed.behind.size > 0) taken.push(feed);
    }
    if (taken.length === 0) return 0;
    const limit = Math.ceil(MAX_ROWS / taken.length);
    const positions = taken.map((feed) => ({
      workspaceId: feed.workspaceId,
      after: feed.position,
    }));
    const pages = await events.read(positions, limit);
    let read = 0;
    for (const feed of taken) {
      const page = pages.get(feed.workspaceId);
      const after = feed.position;
      if (page === undefined || page.first > after + 1) {
        // The counter knows of events that are not there any more.
        const position = page?.through ?? feed.counted;
        if (position > after) resyncFeed(feed, position);
        continue;
      }
      if (page.through - after >= limit) woken.add(feed);
      read += page.through - after;
      await deliver(feed, page);
    }
    return read;
  }

  async function deliver(feed: Feed, page: EventPage): Promise<void> {
    const after = feed.position;
    // Set first, so that a socket that joins during the pause below catches up.
    feed.position = page.through;
    const startedAt = Date.now();
    const sockets = feed.live.size;
    const serialized = serializeEvents(page.events, feed.epoch);
    let sent = 0;
    for (const connection of feed.live) {
      if (connection.socket.bufferedAmount > options.maxBufferedBytes) {
        closeConnection(connection, CLOSE_CODES.tooSlow);
        continue;
      }
      if (connection.position < after) {
        options.catchUp(connection);
        continue;
      }
      // Most have had all up to here, and share the list.
      const { position } = connection;
      const news = position === after ? serialized : serialized.filter(({ seq }) => seq > position);
      sendFrames(connection, news);
      connection.position = Math.max(connection.position, page.through);
      sent += serialized.length;
      if (sent >= FRAMES_PER_TURN) {
        sent = 0;
        await nextTurn();
      }
    }
    if (options.tracer !== null) traceEvents(options.tracer, page, { startedAt, sockets });
  }

  return {
    /** There may be something new. */
    wake(feed: Feed): void {
      woken.add(feed);
      start();
    },
    /** Notifications may have been lost: ask the counters. */
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

function resyncFeed(feed: Feed, position: number): void {
  feed.position = position;
  for (const connection of [...feed.live, ...feed.behind]) {
    resyncConnection(connection, position);
    joinLive(connection);
  }
}

/** The end of each message's way: what happened to it is out, in its own trace. */
function traceEvents(
  tracer: Tracer,
  { events }: EventPage,
  { startedAt, sockets }: { startedAt: number; sockets: number },
): void {
  if (sockets === 0) return;
  for (const { seq, type, message, traceParent } of events) {
    if (traceParent === null) continue;
    tracer
      .startSpan('event out', {
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
