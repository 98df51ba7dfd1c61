import {
  type EventFrame,
  type HeartbeatFrame,
  type InboxFrame,
  toMessage,
} from '@switchboard/contracts';
import { type EventPosition, advance, covers } from '@switchboard/core';
import type { ClientEvent } from '@switchboard/database';
import { type StreamPosition, createCursorFormat } from './cursor.ts';
import { encodeFrames } from './encode-frames.ts';

/** An event as it is sent. */
export interface SerializedEvent {
  /** The position of a client that has received this event and all earlier ones. */
  position: EventPosition;
  cursor: string;
  frame: Buffer;
}

/** The frames of a page of events. */
export interface PageFrames {
  /** Returns the frames that a client at `position` lacks, in their order. */
  after(position: EventPosition): readonly SerializedEvent[];
  /** Returns the same frames as bytes for the network, and their number. */
  encodeAfter(position: EventPosition): { bytes: Buffer; count: number };
}

/**
 * Serializes a page for clients at any position. Clients that received the earlier events in the same
 * order, as all clients of one process did, share the frames: a cursor depends on that order.
 */
export function createPageFrames(
  { workspaceId, epoch }: { workspaceId: string } & Pick<StreamPosition, 'epoch'>,
  events: readonly ClientEvent[],
): PageFrames {
  const cursorAt = createCursorFormat(workspaceId, epoch);
  const serialized: (readonly SerializedEvent[])[] = [];
  const framesAfter = new Map<string, readonly SerializedEvent[]>();
  const encoded = new Map<readonly SerializedEvent[], Buffer>();

  function share(cursor: string): readonly SerializedEvent[] | undefined {
    for (const frames of serialized) {
      const index = frames.findIndex((event) => event.cursor === cursor);
      if (index !== -1) return frames.slice(index + 1);
    }
    return undefined;
  }

  function serialize(start: EventPosition): readonly SerializedEvent[] {
    const frames: SerializedEvent[] = [];
    let position = start;
    for (const event of events) {
      if (covers(start, event.seq)) continue;
      position = advance(position, event.seq);
      const cursor = cursorAt(position);
      frames.push({ position, cursor, frame: serializeFrame(toEventFrame(event, cursor)) });
    }
    serialized.push(frames);
    return frames;
  }

  function after(position: EventPosition): readonly SerializedEvent[] {
    const cursor = cursorAt(position);
    let frames = framesAfter.get(cursor);
    if (frames === undefined) {
      frames = share(cursor) ?? serialize(position);
      framesAfter.set(cursor, frames);
    }
    return frames;
  }

  return {
    after,
    encodeAfter(position) {
      const frames = after(position);
      const bytes = encoded.get(frames) ?? encodeFrames(frames.map(({ frame }) => frame));
      encoded.set(frames, bytes);
      return { bytes, count: frames.length };
    },
  };
}

export function serializeFrame(frame: EventFrame | InboxFrame | HeartbeatFrame): Buffer {
  return Buffer.from(JSON.stringify(frame));
}

function toEventFrame({ workspaceId, type, message }: ClientEvent, cursor: string): EventFrame {
  const created = type === 'created' || type === 'scheduled' || type === 'received';
  return {
    type: created ? 'message.created' : 'message.updated',
    cursor,
    workspace_id: workspaceId,
    message: toMessage(message),
  };
}
