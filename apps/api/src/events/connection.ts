import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { CLOSE_CODES } from '@switchboard/contracts';
import { formatCursor } from './cursor.ts';
import { serializeFrame } from './event-frames.ts';

/** What lets a connection be: when it ends, so does the connection. */
export type Access =
  | { kind: 'api_key'; apiKeyId: string }
  | { kind: 'session'; sessionId: string; userId: string; expiresAt: number };

/** One client. It is in one of its feed's two sets until it closes. */
export interface Connection {
  readonly socket: WebSocket;
  /** What the socket writes to. */
  readonly line: Pick<Duplex, 'cork' | 'uncork'>;
  readonly feed: Feed;
  readonly access: Access;
  /** Every event up to this one has been sent, or was not for clients. */
  position: number;
  nextPingAt: number;
  awaitingPong: boolean;
}

/** A workspace that someone on this process listens to. */
export interface Feed {
  readonly workspaceId: string;
  /** What `position` counts in. */
  epoch: string | null;
  /** Events up to here have been read for the live connections. */
  position: number;
  /** The last event number when the counters were last asked. */
  counted: number;
  /** At `position`, or ahead of it: they get what is read next. */
  readonly live: Set<Connection>;
  /** Before `position`: they read at their own pace. */
  readonly behind: Set<Connection>;
}

// One object for all frames; `ws` would make one for each.
const AS_TEXT = { binary: false };

export function sendFrame(connection: Connection, frame: Buffer, onFlushed?: () => void): void {
  connection.socket.send(frame, AS_TEXT, onFlushed);
}

/** All in one write: a system call for each would cost more than the frames. */
export function sendFrames(
  connection: Connection,
  events: readonly { readonly frame: Buffer }[],
): void {
  connection.line.cork();
  for (const { frame } of events) sendFrame(connection, frame);
  connection.line.uncork();
}

/** Tells a client that events before `position` can't be had, and goes on from there. */
export function resyncConnection(connection: Connection, position: number): void {
  connection.position = position;
  const { workspaceId, epoch } = connection.feed;
  const cursor = formatCursor(workspaceId, { epoch, seq: position });
  sendFrame(connection, serializeFrame({ type: 'resync', cursor }));
}

export function joinLive(connection: Connection): void {
  connection.feed.behind.delete(connection);
  connection.feed.live.add(connection);
}

const REASONS = {
  [CLOSE_CODES.goingAway]: 'The server is going away',
  [CLOSE_CODES.credentialEnded]: 'The session or API key has ended',
  [CLOSE_CODES.membershipEnded]: 'The membership of the workspace has ended',
  [CLOSE_CODES.tooSlow]: 'Too slow a reader; resume with the last cursor',
} as const;

/** From here on it gets nothing more; `ws` cuts the line if the closing takes too long. */
export function closeConnection(connection: Connection, code: keyof typeof REASONS): void {
  connection.feed.live.delete(connection);
  connection.feed.behind.delete(connection);
  connection.socket.close(code, REASONS[code]);
}
