import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventPage, MessageEventStore } from '@switchboard/database';
import { type Connection, type Feed, joinLive, resyncConnection, sendFrame } from './connection.ts';
import { type SerializedEvent, serializeEvents } from './event-frames.ts';

export interface CatchUpOptions {
  events: Pick<MessageEventStore, 'read'>;
  onError(error: unknown): void;
}

const MAX_FEEDS = 20;
const MAX_ROWS = 2_000;
const MAX_PAGE_ROWS = 400;
/** How much is sent to a connection before all of it must be drained. */
const CHUNK_BYTES = 256 * 1024;
/** Number of frames sent before the event loop continues. */
const FRAMES_PER_TURN = 1_000;

/**
 * Sends missed events to connections that are behind their feed, page by page. A connection gets
 * the next page only after the network has taken the last one, so a slow client buffers one page
 * and not its whole backlog. One page serves all connections of the workspace within its range:
 * after a restart, thousands resume at nearly the same position.
 */
export function createCatchUp(options: CatchUpOptions) {
  /** Connections that can take a page, longest waiting first. */
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
    const starts = new Map<Feed, number>();
    for (const connection of ready) {
      if (starts.size === MAX_FEEDS) break;
      if (!connection.feed.behind.has(connection)) ready.delete(connection);
      else if (!starts.has(connection.feed)) starts.set(connection.feed, connection.position);
    }
    if (starts.size === 0) return;
    const limit = Math.min(MAX_PAGE_ROWS, Math.ceil(MAX_ROWS / starts.size));
    const positions = [...starts].map(([{ workspaceId }, after]) => ({ workspaceId, after }));
    const pages = await options.events.read(positions, limit);
    for (const [feed, after] of starts) await deliver(feed, after, pages.get(feed.workspaceId));
  }

  async function deliver(feed: Feed, after: number, page: EventPage | undefined): Promise<void> {
    const through = page?.through ?? Number.POSITIVE_INFINITY;
    const serialized = serializeEvents(page?.events ?? [], feed.epoch);
    let sent = 0;
    // Copied, because a connection returns to `ready` for the next page.
    const waiting = [...ready];
    for (const connection of waiting) {
      if (connection.feed !== feed) continue;
      if (!feed.behind.has(connection)) {
        ready.delete(connection);
        continue;
      }
      if (connection.position < after || connection.position >= through) continue;
      ready.delete(connection);
      if (page === undefined || page.first > connection.position + 1) {
        // The cursor is older than the stored events.
        resyncConnection(connection, feed.position);
        joinLive(connection);
        continue;
      }
      sent += sendPage(connection, page, serialized);
      if (sent >= FRAMES_PER_TURN) {
        sent = 0;
        await nextTurn();
      }
    }
  }

  function sendPage(
    connection: Connection,
    page: EventPage,
    serialized: readonly SerializedEvent[],
  ): number {
    const chunk = takeChunk(serialized, connection.position);
    const last = chunk.at(-1);
    const isWhole = last === undefined || last === serialized.at(-1);
    connection.position = isWhole ? page.through : last.seq;
    const isBehind = connection.position < connection.feed.position;
    for (const event of chunk) {
      if (event === last && isBehind) sendFrame(connection, event.frame, () => readOn(connection));
      else sendFrame(connection, event.frame);
    }
    if (!isBehind) joinLive(connection);
    else if (last === undefined) ready.add(connection);
    return chunk.length;
  }

  function readOn(connection: Connection): void {
    if (!connection.feed.behind.has(connection)) return;
    ready.add(connection);
    start();
  }

  return {
    add(connection: Connection): void {
      connection.feed.live.delete(connection);
      connection.feed.behind.add(connection);
      readOn(connection);
    },
    /** Continues after a failure. */
    retry: start,
    async stop(): Promise<void> {
      stopped = true;
      await lastRun;
    },
  };
}

/** Reads the events after `position`, up to the limit of one page. */
function takeChunk(serialized: readonly SerializedEvent[], position: number): SerializedEvent[] {
  const chunk: SerializedEvent[] = [];
  let bytes = 0;
  for (const event of serialized) {
    if (event.seq <= position) continue;
    if (bytes >= CHUNK_BYTES) break;
    chunk.push(event);
    bytes += event.frame.length;
  }
  return chunk;
}
