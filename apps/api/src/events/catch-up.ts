import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventPosition, coversAll, unite } from '@switchboard/core';
import type { EventPage, MessageEventStore } from '@switchboard/database';
import {
  type Connection,
  FRAMES_PER_TURN,
  type Feed,
  joinLive,
  resyncConnection,
  sendFrame,
} from './connection.ts';
import { type PageFrames, type SerializedEvent, createPageFrames } from './event-frames.ts';

export interface CatchUpOptions {
  events: Pick<MessageEventStore, 'read'>;
  onError(error: unknown): void;
}

const MAX_FEEDS = 20;
const MAX_ROWS = 2_000;
const MAX_PAGE_ROWS = 400;
/** How much is sent to a connection before all of it must be drained. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Sends missed events to connections that are behind their feed, page by page. A connection gets
 * the next page only after the network has accepted the previous one, so a slow client buffers one
 * page and not its whole backlog. One page serves all connections of the workspace within its
 * range: after a restart, thousands of connections resume at nearly the same position.
 */
export function createCatchUp(options: CatchUpOptions) {
  /** Connections that can take a page, the longest-waiting first. */
  const ready = new Set<Connection>();
  let running = false;
  let stopped = false;
  let lastRun = Promise.resolve();

  function start(): void {
    if (!running && !stopped && ready.size > 0) lastRun = run();
  }

  async function run(): Promise<void> {
    running = true;
    try {
      while (!stopped && ready.size > 0) await readPages();
    } catch (error) {
      // The connections remain in `ready`, and the next tick tries again.
      options.onError(error);
    } finally {
      running = false;
    }
  }

  async function readPages(): Promise<void> {
    const starts = new Map<Feed, EventPosition>();
    for (const connection of ready) {
      if (starts.size === MAX_FEEDS) break;
      if (!connection.feed.behind.has(connection)) ready.delete(connection);
      else if (!starts.has(connection.feed)) starts.set(connection.feed, connection.position);
    }
    if (starts.size === 0) return;
    const limit = Math.min(MAX_PAGE_ROWS, Math.ceil(MAX_ROWS / starts.size));
    const pages = await options.events.read(
      [...starts].map(([{ workspaceId }, after]) => ({ workspaceId, after })),
      limit,
    );
    for (const [feed, after] of starts) await deliver(feed, after, pages.get(feed.workspaceId));
  }

  async function deliver(
    feed: Feed,
    after: EventPosition,
    page: EventPage | undefined,
  ): Promise<void> {
    const frames = createPageFrames(feed, page?.events ?? []);
    let sent = 0;
    // Copied, because a connection returns to `ready` for the next page.
    const waiting = [...ready];
    for (const connection of waiting) {
      if (connection.feed !== feed) continue;
      if (!feed.behind.has(connection)) {
        ready.delete(connection);
        continue;
      }
      if (!coversAll(connection.position, after)) continue;
      // Other connections past the start of the page share it if they lack some of its events.
      const isAhead = !coversAll(after, connection.position);
      if (isAhead && page !== undefined) {
        if (page.hasGap || coversAll(connection.position, page.position)) continue;
      }
      ready.delete(connection);
      if (page === undefined || page.hasGap) {
        // The cursor is older than the stored events.
        resyncConnection(connection, feed.position);
        joinLive(connection);
        continue;
      }
      sent += sendPage(connection, page, frames);
      if (sent >= FRAMES_PER_TURN) {
        sent = 0;
        await nextTurn();
      }
    }
  }

  function sendPage(connection: Connection, page: EventPage, frames: PageFrames): number {
    const news = frames.after(connection.position);
    const chunk = takeChunk(news);
    const last = chunk.at(-1);
    const isWhole = chunk.length === news.length;
    connection.position =
      isWhole || last === undefined ? unite(connection.position, page.position) : last.position;
    const isBehind = !coversAll(connection.position, connection.feed.position);
    for (const event of chunk) {
      if (event === last && isBehind)
        sendFrame(connection, event.frame, () => markReady(connection));
      else sendFrame(connection, event.frame);
    }
    if (!isBehind) joinLive(connection);
    else if (last === undefined) ready.add(connection);
    return chunk.length;
  }

  function markReady(connection: Connection): void {
    if (!connection.feed.behind.has(connection)) return;
    ready.add(connection);
    start();
  }

  return {
    add(connection: Connection): void {
      connection.feed.live.delete(connection);
      connection.feed.behind.add(connection);
      markReady(connection);
    },
    /** Continues after a failure. */
    retry: start,
    async stop(): Promise<void> {
      stopped = true;
      await lastRun;
    },
  };
}

/** Returns the first of the events, up to the limit of one turn. */
function takeChunk(events: readonly SerializedEvent[]): readonly SerializedEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ frame }) => {
    const isFull = bytes >= CHUNK_BYTES;
    bytes += frame.length;
    return isFull;
  });
  return end === -1 ? events : events.slice(0, end);
}
