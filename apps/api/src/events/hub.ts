import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from '@fastify/websocket';
import { CLOSE_CODES } from '@switchboard/contracts';
import {
  AppError,
  type Clock,
  type EventBus,
  START_OF_EVENTS,
  advance,
  countBetween,
  covers,
  coversAll,
  createBatch,
  unite,
} from '@switchboard/core';
import type { MessageEventStore, ReadActiveAccess, WrittenEvent } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import { createCatchUp } from './catch-up.ts';
import { createSocketCheck } from './check-sockets.ts';
import { type SocketOwner, type SocketQuotas, createSocketCounts } from './count-sockets.ts';
import {
  type Access,
  type Connection,
  type Feed,
  closeConnection,
  createFeed,
  listSessions,
  resyncConnection,
  sendFrame,
} from './connection.ts';
import { type StreamPosition, continues, formatCursor } from './cursor.ts';
import { createLiveDelivery } from './deliver-live.ts';
import { serializeFrame } from './event-frames.ts';
import { createAccessWatch } from './watch-access.ts';

const TICK_JITTER = 0.2;

export interface HubOptions {
  events: Pick<MessageEventStore, 'read' | 'readCounters'>;
  bus: Pick<EventBus, 'subscribe' | 'onGap'>;
  readActiveAccess: ReadActiveAccess;
  clock: Clock;
  /** None by default. */
  tracer?: Tracer | null;
  /** Called with background errors, for the log. The hub recovers on its own. */
  onError(error: unknown): void;
  /** Maximum number of sockets on this process. Default 10,000. */
  maxSockets?: number;
  /** Maximum number of these sockets for one key, user or workspace. */
  socketQuotas: SocketQuotas;
  /**
   * Interval of pings. Default 30,000. A socket that has not answered a ping when the next is due
   * is terminated.
   */
  pingMs?: number;
  /** Maximum delay of an event whose notification was lost. Default 1,000. */
  pollMs?: number;
  /**
   * How long a socket may stay open after its credential ended if the notification was lost.
   * Default 30,000.
   */
  accessCheckMs?: number;
  /** Maximum bytes that wait to be sent to one socket. Default 1 MiB. */
  maxBufferedBytes?: number;
  /** How long shutdown waits for clients to close. Default 2,000. */
  closeMs?: number;
}

/** How a client joins; determined before its upgrade is answered. */
export interface Joining {
  workspaceId: string;
  access: Access;
  /** The stream under the WebSocket. */
  stream: Connection['stream'];
  /** The workspace's last event, read after the request arrived. */
  current: StreamPosition;
  resume: { cursor: string; start: StreamPosition } | null;
  /** The interval of heartbeats, or null if the client asked for none. */
  heartbeatMs: number | null;
}

export interface HubStats {
  sockets: number;
  /** Workspaces with connections. */
  workspaces: number;
  /** Sockets that are behind their workspace's feed. */
  catchingUp: number;
  /**
   * Events that a notification or the last poll has reported and that are not yet read for live
   * sockets, in the workspace with the most.
   */
  lagEvents: number;
}

/** Sends the events of their workspaces to WebSocket clients. */
export interface Hub {
  /** Finds the last event of a workspace; concurrent lookups share a query. */
  findCurrent(workspaceId: string): Promise<StreamPosition>;
  /**
   * @throws AppError `service_unavailable` when the process has reached its maximum number of
   *   sockets, `quota_exceeded` when the owner has.
   */
  assertCapacity(owner: SocketOwner): void;
  add(socket: WebSocket, joining: Joining): Connection;
  /** Holds an event that this process has committed, so that it need not be read. Its notification follows. */
  offer(event: WrittenEvent): void;
  /** Returns the connections of sessions that follow the workspace, for frames that are not events. */
  findSessions(workspaceId: string): Connection[];
  stats(): HubStats;
  /** Closes every socket with 1001; returns in bounded time, whatever clients do. */
  close(): Promise<void>;
}

export function createHub(options: HubOptions): Hub {
  const { bus, clock, events, onError } = options;
  const {
    maxSockets = 10_000,
    pingMs = 30_000,
    pollMs = 1_000,
    accessCheckMs = 30_000,
    maxBufferedBytes = 1024 * 1024,
    closeMs = 2_000,
  } = options;
  /** All sockets until they are terminated, including those that are closing. */
  const connections = new Set<Connection>();
  const counts = createSocketCounts(options.socketQuotas);
  const feeds = new Map<string, Feed>();
  let closing: Promise<void> | null = null;
  let onEmpty: () => void = () => undefined;

  const catchUp = createCatchUp({ events, onError });
  const live = createLiveDelivery({
    events,
    feeds,
    maxBufferedBytes,
    catchUp: catchUp.add,
    tracer: options.tracer ?? null,
    onError,
  });
  const accessWatch = createAccessWatch({
    connections,
    readActiveAccess: options.readActiveAccess,
    clock,
    checkMs: accessCheckMs,
    onError,
  });
  const checkSockets = createSocketCheck({
    connections,
    clock,
    pingMs,
    maxBufferedBytes,
    maxTickMs: pollMs * (1 + TICK_JITTER),
  });
  const findCurrent = createBatch<string, StreamPosition>({
    maxSize: 500,
    concurrency: 4,
    maxWaiting: 10_000,
    async run(workspaceIds) {
      const { epoch, positions } = await events.readCounters([...new Set(workspaceIds)]);
      return workspaceIds.map((id) => ({ epoch, position: positions.get(id) ?? START_OF_EVENTS }));
    },
  });

  const unsubscribe = bus.subscribe((notification) => {
    // `inbox-frames.ts` and `typing-frames.ts` send these.
    if (notification.kind === 'inbox' || notification.kind === 'typing') return;
    if (notification.kind !== 'message') {
      accessWatch.end(notification);
      return;
    }
    const feed = feeds.get(notification.workspaceId);
    if (feed === undefined) return;
    // Otherwise, the lag would show only after a slow database has answered.
    feed.reported = advance(feed.reported, notification.seq);
    if (!covers(feed.position, notification.seq)) live.wakeReported(feed);
  });
  const unsubscribeGap = bus.onGap(() => {
    live.check();
    accessWatch.checkAll();
  });

  // One timer for all, with random jitter, so that processes do not poll at the same time.
  let timer = setTimeout(tick, pollMs);
  function tick(): void {
    live.check();
    catchUp.retry();
    accessWatch.tick();
    checkSockets();
    timer = setTimeout(tick, pollMs * (1 - TICK_JITTER + 2 * TICK_JITTER * Math.random()));
  }

  function remove(connection: Connection): void {
    const { feed } = connection;
    feed.live.delete(connection);
    feed.behind.delete(connection);
    connections.delete(connection);
    counts.remove({ workspaceId: feed.workspaceId, access: connection.access });
    const isUnused = feed.live.size + feed.behind.size === 0;
    if (isUnused && feeds.get(feed.workspaceId) === feed) feeds.delete(feed.workspaceId);
    if (connections.size === 0) onEmpty();
  }

  async function closeAll(): Promise<void> {
    clearTimeout(timer);
    unsubscribe();
    unsubscribeGap();
    const late = new AbortController();
    const emptied = new Promise<void>((resolve) => {
      onEmpty = resolve;
      if (connections.size === 0) resolve();
    });
    for (const connection of connections) closeConnection(connection, CLOSE_CODES.goingAway);
    const stopped = Promise.all([emptied, live.stop(), catchUp.stop(), accessWatch.stop()]);
    const timeout = delay(closeMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([stopped, timeout]);
    late.abort();
    for (const { socket } of connections) socket.terminate();
  }

  return {
    findCurrent,

    assertCapacity(owner) {
      if (closing === null && connections.size < maxSockets) {
        counts.assertCapacity(owner);
        return;
      }
      const detail = closing === null ? 'Too many sockets are open' : 'The server is shutting down';
      throw new AppError('service_unavailable', detail, { retryAfterSeconds: 1 });
    },

    add(socket, { workspaceId, access, stream, current, resume, heartbeatMs }) {
      const known = feeds.get(workspaceId);
      const feed = known ?? createFeed(workspaceId, current);
      feeds.set(workspaceId, feed);
      const connection: Connection = {
        socket,
        stream,
        feed,
        access,
        position: resume?.start.position ?? current.position,
        nextPingAt: clock.monotonic() + pingMs,
        awaitingPong: false,
        heartbeatMs,
        lastHeartbeatAt: clock.monotonic(),
      };
      connections.add(connection);
      counts.add({ workspaceId, access });
      socket.on('close', () => remove(connection));
      socket.on('pong', () => {
        connection.awaitingPong = false;
      });
      if (closing !== null) {
        closeConnection(connection, CLOSE_CODES.goingAway);
        return connection;
      }
      const cursor = resume?.cursor ?? formatCursor(workspaceId, current);
      sendFrame(connection, serializeFrame({ type: 'ready', cursor }));
      if (current.epoch !== feed.epoch) {
        // Either epoch may be stale; the counters decide.
        resyncConnection(connection, feed.position);
        live.check();
      } else if (resume !== null && !continues(resume.start, current)) {
        resyncConnection(connection, current.position);
      }
      if (!coversAll(connection.position, feed.position)) catchUp.add(connection);
      else feed.live.add(connection);
      // Notifications since `current` was read were not received.
      if (known === undefined || !coversAll(feed.position, current.position)) live.wake(feed);
      accessWatch.add(connection);
      return connection;
    },

    offer(event) {
      const feed = feeds.get(event.workspaceId);
      if (feed !== undefined && !covers(feed.position, event.seq)) feed.held.add(event);
    },

    findSessions: (workspaceId) => listSessions(feeds.get(workspaceId)),

    stats() {
      let catchingUp = 0;
      let lagEvents = 0;
      for (const feed of feeds.values()) {
        catchingUp += feed.behind.size;
        const known = unite(feed.counted, feed.reported);
        lagEvents = Math.max(lagEvents, countBetween(feed.position, known));
      }
      return { sockets: connections.size, workspaces: feeds.size, catchingUp, lagEvents };
    },

    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
