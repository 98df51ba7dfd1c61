import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { CLOSE_CODES } from '@switchboard/contracts';
import {
  type EventPosition,
  type HeldEvents,
  type Role,
  createHeldEvents,
} from '@switchboard/core';
import type { WrittenEvent } from '@switchboard/database';
import { type StreamPosition, formatCursor } from './cursor.ts';
import { serializeFrame } from './event-frames.ts';

/** Number of frames sent before the event loop continues. They take a few milliseconds. */
export const FRAMES_PER_TURN = 200;

/** The credential of a connection: when it ends, so does the connection. */
export type Access = {
  /** Infinity if it does not expire. */
  expiresAt: number;
} & (
  | { kind: 'api_key'; apiKeyId: string; keyVersion: number }
  /** `role`: that of the last check. */
  | { kind: 'session'; sessionId: string; userId: string; role: Role }
);

/** A client. It is in one of the two sets of its feed until it closes. */
export interface Connection {
  readonly socket: WebSocket;
  /** The stream under the WebSocket. */
  readonly stream: Pick<Duplex, 'write' | 'on'>;
  readonly feed: Feed;
  readonly access: Access;
  /** All events up to here were sent, or are not for clients. */
  position: EventPosition;
  nextPingAt: number;
  awaitingPong: boolean;
  /** The interval of heartbeats, or null if the client asked for none. */
  readonly heartbeatMs: number | null;
  lastHeartbeatAt: number;
}

/** A workspace with connections on this process. */
export interface Feed {
  readonly workspaceId: string;
  /** The epoch of `position`. */
  epoch: string;
  /** Events up to here have been read for the live connections. */
  position: EventPosition;
  /** The last events at the last query of the counters. */
  counted: EventPosition;
  /** The last events of notifications since then, which may be wrong: they decide only when to read. */
  reported: EventPosition;
  /** Events that this process has written and not yet sent. */
  readonly held: HeldEvents<WrittenEvent>;
  /** Whether there may be events that no notification has reported. */
  isReadDue: boolean;
  /** Connections that have all events up to `position`: they receive the events that are read next. */
  readonly live: Set<Connection>;
  /** Connections that lack an event up to `position` and catch up separately. */
  readonly behind: Set<Connection>;
}

/** The maximum number of events that wait for others, which are then all read. */
const MAX_HELD = 1_000;

export function createFeed(workspaceId: string, { epoch, position }: StreamPosition): Feed {
  return {
    workspaceId,
    epoch,
    position,
    counted: position,
    reported: position,
    held: createHeldEvents(MAX_HELD),
    isReadDue: false,
    live: new Set(),
    behind: new Set(),
  };
}

// One object for all frames; `ws` would create one for each.
const AS_TEXT = { binary: false };

export function sendFrame(connection: Connection, frame: Buffer, onFlushed?: () => void): void {
  connection.socket.send(frame, AS_TEXT, onFlushed);
}

/**
 * Sends encoded frames in one write, of one buffer that all sockets share. `ws` writes its own frames to
 * the stream immediately, so the order stays.
 */
export function sendEncoded({ socket, stream }: Connection, frames: Buffer): void {
  if (socket.readyState === socket.OPEN && frames.length > 0) stream.write(frames);
}

/**
 * Sends a resync: events before `position` are not available, and the client continues from there.
 */
export function resyncConnection(connection: Connection, position: EventPosition): void {
  connection.position = position;
  const { workspaceId, epoch } = connection.feed;
  const cursor = formatCursor(workspaceId, { epoch, position });
  sendFrame(connection, serializeFrame({ type: 'resync', cursor }));
}

export function listSessions(feed: Feed | undefined): Connection[] {
  const { live = [], behind = [] } = feed ?? {};
  return [...live, ...behind].filter(({ access }) => access.kind === 'session');
}

export function joinLive(connection: Connection): void {
  connection.feed.behind.delete(connection);
  connection.feed.live.add(connection);
}

const REASONS = {
  [CLOSE_CODES.goingAway]: 'The server is shutting down',
  [CLOSE_CODES.credentialEnded]: 'The session or API key is no longer valid',
  [CLOSE_CODES.membershipEnded]: 'The user is no longer a member of the workspace',
  [CLOSE_CODES.sendsTooMuch]: 'The client sends too much',
  [CLOSE_CODES.tooSlow]: 'The client reads too slowly; resume with the last cursor',
} as const;

/** Sends no more events; `ws` cuts the connection if closing takes too long. */
export function closeConnection(connection: Connection, code: keyof typeof REASONS): void {
  connection.feed.live.delete(connection);
  connection.feed.behind.delete(connection);
  connection.socket.close(code, REASONS[code]);
}
