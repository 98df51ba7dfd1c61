import { CLIENT_FRAME_MAX_BYTES, type ClientFrame, clientFrame } from '@switchboard/contracts';
import { type Clock, type EventBus, type Typing, hasPermission } from '@switchboard/core';
import { type Connection, sendFrame } from './connection.ts';
import { serializeFrame } from './event-frames.ts';
import type { Hub } from './hub.ts';

export interface TypingFramesOptions {
  bus: Pick<EventBus, 'subscribe' | 'publishLater'>;
  hub: Pick<Hub, 'findSessions'>;
  clock: Pick<Clock, 'monotonic'>;
}

/** Clients repeat their frame every 3 seconds, so one of them may be lost. */
const EXPIRES_SECONDS = 7;
/** A connection reports that its user is typing at most this often, whatever its client sends. */
const MIN_INTERVAL_MS = 2_000;
/**
 * A connection with more unsent bytes gets no typing frames, because they must not delay events.
 */
const MAX_BUFFERED_BYTES = 64 * 1024;

/** The latest report of a connection. */
interface Viewing {
  number: string | null;
  /** Whether it was reported to colleagues that the user is typing in `number`. */
  isReported: boolean;
  reportedAt: number;
}

export type TypingFrames = ReturnType<typeof createTypingFrames>;

/**
 * Reports to colleagues with the same conversation open that a member is typing a reply. The state
 * is in memory only, and it expires on the clients: a process that ends, or a lost notification,
 * needs no repair. Events and cursors are not involved.
 */
export function createTypingFrames({ bus, hub, clock }: TypingFramesOptions) {
  const viewings = new WeakMap<Connection, Viewing>();

  function receive(connection: Connection, user: { id: string; name: string }, data: Buffer): void {
    // After a membership has ended, its connection may still send frames until the close handshake
    // ends.
    if (connection.socket.readyState !== connection.socket.OPEN) return;
    const parsed = parseFrame(data);
    if (parsed === null) return;
    // Who may not reply is not typing a reply, but sees colleagues who are.
    const frame = { ...parsed, typing: parsed.typing && maySend(connection) };
    const before = viewings.get(connection) ?? {
      number: null,
      isReported: false,
      reportedAt: -Infinity,
    };
    const publish = (number: string, isTyping: boolean): void =>
      bus.publishLater({
        kind: 'typing',
        workspaceId: connection.feed.workspaceId,
        number,
        userId: user.id,
        userName: user.name,
        isTyping,
      });
    const now = clock.monotonic();
    const isOver = !frame.typing || frame.number !== before.number;
    if (before.isReported && before.number !== null && isOver) publish(before.number, false);
    const isDue = frame.typing && now - before.reportedAt >= MIN_INTERVAL_MS;
    if (isDue && frame.number !== null) publish(frame.number, true);
    viewings.set(connection, {
      number: frame.number,
      isReported: isDue || (before.isReported && !isOver),
      reportedAt: isDue ? now : before.reportedAt,
    });
  }

  function send({ workspaceId, number, userId, userName, isTyping }: Typing): void {
    const colleagues = hub
      .findSessions(workspaceId)
      .filter(
        (connection) =>
          viewings.get(connection)?.number === number &&
          connection.access.kind === 'session' &&
          connection.access.userId !== userId &&
          connection.socket.bufferedAmount <= MAX_BUFFERED_BYTES,
      );
    if (colleagues.length === 0) return;
    const frame = serializeFrame({
      type: 'conversation.typing',
      workspace_id: workspaceId,
      number,
      user: { id: userId, name: userName },
      expires_in_seconds: isTyping ? EXPIRES_SECONDS : 0,
    });
    for (const connection of colleagues) sendFrame(connection, frame);
  }

  return {
    /** Reads the frames of a session's connection. */
    follow(connection: Connection, user: { id: string; name: string }): void {
      connection.socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (!isBinary) receive(connection, user, data);
      });
    },
    close: bus.subscribe((notification) => {
      if (notification.kind === 'typing') send(notification);
    }),
  };
}

function maySend({ access }: Connection): boolean {
  return access.kind === 'session' && hasPermission(access.role, 'send');
}

function parseFrame(data: Buffer): ClientFrame | null {
  if (data.length > CLIENT_FRAME_MAX_BYTES) return null;
  try {
    return clientFrame.safeParse(JSON.parse(data.toString('utf8'))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
