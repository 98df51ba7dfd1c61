import {
  CLOSE_CODES,
  type ClientFrame,
  EVENTS_SUBPROTOCOL,
  type EventFrame,
  type HeartbeatFrame,
  type InboxFrame,
} from '@switchboard/contracts';
import { BASE_PATH } from '../base-path.ts';

/** The state of the connection to the server. `since` is in Unix milliseconds. */
export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  | { kind: 'disconnected'; since: number };

type MessageFrame = Extract<EventFrame, { message: unknown }>;

export interface EventSocketOptions {
  /** The path of the workspace's event stream, without a query. */
  path: string;
  token: string;
  onEvent(frame: MessageFrame): void;
  /** Receives frames that are not repeated after a reconnect. */
  onInbox(frame: InboxFrame): void;
  /** The connection is back. No event was missed, but inbox frames may have been. */
  onResumed(): void;
  /** Events may have been missed: all cached data is outdated. */
  onResync(): void;
  onState(state: ConnectionState): void;
  /** The session or the membership has ended. The socket does not reconnect. */
  onEnded(): void;
}

export interface EventSocket {
  /** Sends a frame, or drops it while there is no connection. */
  send(frame: ClientFrame): void;
  close(): void;
}

const READY_MS = 10_000;
const BACKOFF_MS = { first: 500, max: 15_000 };
/** Heartbeats that the server is asked for, because browsers do not expose WebSocket pings. */
const HEARTBEAT_SECONDS = 20;
const CHECK_MS = 2_500;
/** A socket is dead after so much silence: with the time between two checks, less than a minute. */
const DEAD_AFTER_MS = 55_000;
/** A page that was not checked for so long has slept, or its computer has. */
const SLEPT_MS = 15_000;
/** A page that becomes visible may have been frozen. Its socket is dead if a heartbeat is missing. */
const DEAD_WHEN_SHOWN_MS = 25_000;
/**
 * After this many failures with a network the cursor is dropped: it may belong to a database that was replaced.
 * Failures without a network say nothing about it.
 */
const MAX_FAILURES_WITH_CURSOR = 4;

/**
 * Opens a WebSocket that reconnects with exponential backoff and resumes after the last received
 * event, so that each event arrives exactly once.
 */
export function openEventSocket(options: EventSocketOptions): EventSocket {
  let socket: WebSocket | null = null;
  let cursor: string | null = null;
  let failures = 0;
  let failuresOnline = 0;
  let disconnectedSince: number | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let readyTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the server last sent a frame: a connection that a proxy has forgotten looks open, and stays silent. */
  let heardAt = Date.now();

  function connect(): void {
    clearTimeout(retry);
    if (failuresOnline >= MAX_FAILURES_WITH_CURSOR) cursor = null;
    const resumedFrom = cursor;
    const url = new URL(BASE_PATH + options.path, window.location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    if (resumedFrom !== null) url.searchParams.set('cursor', resumedFrom);
    url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));

    const opened = new WebSocket(url, [EVENTS_SUBPROTOCOL, `bearer.${options.token}`]);
    socket = opened;
    heardAt = Date.now();
    readyTimer = setTimeout(() => abandon(opened), READY_MS);
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (socket !== opened) return;
      heardAt = Date.now();
      const frame = JSON.parse(data) as EventFrame | InboxFrame | HeartbeatFrame;
      if (frame.type === 'heartbeat') return;
      if (!('cursor' in frame)) {
        options.onInbox(frame);
        return;
      }
      cursor = frame.cursor;
      if (frame.type === 'ready') {
        clearTimeout(readyTimer);
        failures = 0;
        failuresOnline = 0;
        disconnectedSince = null;
        options.onState({ kind: 'live' });
        // Without a cursor, events between loading the page and now are not sent.
        if (resumedFrom === null) options.onResync();
        else options.onResumed();
      } else if (frame.type === 'resync') {
        options.onResync();
      } else {
        options.onEvent(frame);
      }
    });
    opened.addEventListener('close', ({ code }) => {
      if (socket !== opened) return;
      if (code === CLOSE_CODES.credentialEnded || code === CLOSE_CODES.membershipEnded) {
        close();
        options.onEnded();
      } else {
        abandon(opened);
      }
    });
  }

  /** Abandons a socket without waiting for its close event, and reconnects later. */
  function abandon(lost: WebSocket): void {
    if (socket !== lost) return;
    socket = null;
    clearTimeout(readyTimer);
    lost.close();
    failures += 1;
    if (navigator.onLine) failuresOnline += 1;
    disconnectedSince ??= Date.now();
    options.onState({ kind: 'disconnected', since: disconnectedSince });
    const delayMs = Math.min(BACKOFF_MS.first * 2 ** (failures - 1), BACKOFF_MS.max);
    // Random, so that not all clients reconnect at once after a restart of the server.
    retry = setTimeout(connect, delayMs * (0.5 + Math.random()));
  }

  function close(): void {
    clearTimeout(retry);
    clearTimeout(readyTimer);
    clearInterval(check);
    document.removeEventListener('visibilitychange', onVisibilityChange);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', onOnline);
    const last = socket;
    socket = null;
    last?.close();
  }

  const onOffline = (): void => {
    if (socket !== null) abandon(socket);
  };
  const onOnline = (): void => {
    if (socket === null) connect();
  };
  function endIfSilent(limitMs: number): void {
    if (socket !== null && Date.now() - heardAt >= limitMs) abandon(socket);
  }
  const onVisibilityChange = (): void => {
    if (document.visibilityState === 'visible') endIfSilent(DEAD_WHEN_SHOWN_MS);
  };
  let checkedAt = Date.now();
  const check = setInterval(() => {
    const now = Date.now();
    // Browsers check hidden pages only once a minute.
    const hasSlept = now - checkedAt >= SLEPT_MS && document.visibilityState === 'visible';
    checkedAt = now;
    endIfSilent(hasSlept ? 0 : DEAD_AFTER_MS);
  }, CHECK_MS);

  document.addEventListener('visibilitychange', onVisibilityChange);
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);
  options.onState({ kind: 'connecting' });
  connect();
  return {
    send(frame) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    close,
  };
}
