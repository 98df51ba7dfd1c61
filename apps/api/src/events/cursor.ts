import {
  type EventPosition,
  MAX_POSITION_BYTES,
  coversAll,
  readPosition,
  writePosition,
} from '@switchboard/core';

/** A position in a workspace's events: the client has received everything up to `position`. */
export interface StreamPosition {
  /**
   * The database's epoch, 16 hexadecimal digits: event numbers of different epochs don't continue
   * each other.
   */
  epoch: string;
  position: EventPosition;
}

// The first byte is the version, the next 16 are the workspace, 8 are the epoch, and the rest is the position.
const VERSION = 1;
const EPOCH_AT = 17;
const POSITION_AT = EPOCH_AT + 8;

/** Formats a cursor, opaque to clients. */
export function formatCursor(workspaceId: string, { epoch, position }: StreamPosition): string {
  return createCursorFormat(workspaceId, epoch)(position);
}

/** Creates a function that formats cursors of one workspace and epoch, for one frame after another. */
export function createCursorFormat(
  workspaceId: string,
  epoch: string,
): (position: EventPosition) => string {
  const bytes = Buffer.alloc(POSITION_AT + MAX_POSITION_BYTES);
  bytes[0] = VERSION;
  bytes.write(workspaceId.replaceAll('-', ''), 1, 'hex');
  bytes.write(epoch, EPOCH_AT, 'hex');
  return (position) => bytes.toString('base64url', 0, writePosition(position, bytes, POSITION_AT));
}

/** Parses a cursor of this workspace; null for any other text. */
export function parseCursor(workspaceId: string, cursor: string): StreamPosition | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < POSITION_AT) return null;
  const position = readPosition(bytes, POSITION_AT);
  if (position === null) return null;
  const start = { epoch: bytes.toString('hex', EPOCH_AT, POSITION_AT), position };
  // Only a text that formatting reproduces exactly is a cursor.
  return formatCursor(workspaceId, start) === cursor ? start : null;
}

/**
 * Returns whether the events after `start` lead to `current`. If not, the database was restored
 * from a backup.
 */
export function continues(start: StreamPosition, current: StreamPosition): boolean {
  return start.epoch === current.epoch && coversAll(current.position, start.position);
}
