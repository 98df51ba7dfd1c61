import { CLOSE_CODES, EVENTS_SUBPROTOCOL, type EventFrame } from '@switchboard/contracts';

/** How the line to the service stands. */
export type LineState = { kind: 'connecting' } | { kind: 'live' } | { kind: 'away'; since: number };

export interface EventSocketOptions {
  /** Of the workspace's events, without a query. */
  path: string;
  token: string;
  onEvent(frame: Extract<EventFrame, { message: unknown }>): void;
  /** What was seen before may have changed unseen. */
  onResync(): void;
  onState(state: LineState): void;
  /** The session, or the membership of the workspace, is over: there is no use in trying again. */
  onEnded(): void;
}

export interface EventSocket {
  close(): void;
}

const READY_MS = 10_000;
const BACKOFF_MS = { first: 500, max: 15_000 };
/** Whether the line still stands is asked by HTTP: a browser does not show a socket's pings. */
const PROBE_MS = 30_000;
const PROBE_TIMEOUT_MS = 8_000;
/** A cursor that is refused so often may be one of a database that is no more. */
const REFUSALS_OF_A_CURSOR = 4;

/**
 * A line that stays: it is tried again with growing pauses and resumes from the last event it has
 * seen, so that every event comes, once.
 */
export function openEventSocket(options: EventSocketOptions): EventSocket {
  let socket: WebSocket | null = null;
  let cursor: string | null = null;
  let failures = 0;
  let awaySince: number | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    clearTimeout(retry);
    if (failures >= REFUSALS_OF_A_CURSOR) cursor = null;
    const asked = cursor;
    const url = new URL(options.path, window.location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    if (asked !== null) url.searchParams.set('cursor', asked);

    const opened = new WebSocket(url, [EVENTS_SUBPROTOCOL, `bearer.${options.token}`]);
    socket = opened;
    patience = setTimeout(() => drop(opened), READY_MS);
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (socket !== opened) return;
      const frame = JSON.parse(data) as EventFrame;
      cursor = frame.cursor;
      if (frame.type === 'ready') {
        clearTimeout(patience);
        failures = 0;
        awaySince = null;
        options.onState({ kind: 'live' });
        // Without a cursor, what has happened since the page was loaded is not told.
        if (asked === null) options.onResync();
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
        drop(opened);
      }
    });
  }

  /** Gives a socket up, without waiting for it to notice, and tries again later. */
  function drop(lost: WebSocket): void {
    if (socket !== lost) return;
    socket = null;
    clearTimeout(patience);
    lost.close();
    failures += 1;
    awaySince ??= Date.now();
    options.onState({ kind: 'away', since: awaySince });
    const pause = Math.min(BACKOFF_MS.first * 2 ** (failures - 1), BACKOFF_MS.max);
    // Not all at once after a restart of the service.
    retry = setTimeout(connect, pause * (0.5 + Math.random()));
  }

  function close(): void {
    clearTimeout(retry);
    clearTimeout(patience);
    clearInterval(probe);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', onOnline);
    const last = socket;
    socket = null;
    last?.close();
  }

  const onOffline = (): void => {
    if (socket !== null) drop(socket);
  };
  const onOnline = (): void => {
    if (socket === null) connect();
  };
  const probe = setInterval(() => {
    const asked = socket;
    if (asked === null) return;
    fetch('/health/live', { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() =>
      drop(asked),
    );
  }, PROBE_MS);

  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);
  options.onState({ kind: 'connecting' });
  connect();
  return { close };
}
