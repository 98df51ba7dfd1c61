import {
  type EventPosition,
  MAX_EVENT_SLOT,
  lastIn,
  positionOf,
  startOfSlot,
} from '@switchboard/core';

/** A place in a workspace's events: the client has received everything up to `position`. */
export interface Place {
  /**
   * The database's epoch, 16 hexadecimal digits: event numbers of different epochs don't continue
   * each other.
   */
  epoch: string;
  position: EventPosition;
}

// The first byte is the version, the next 16 are the workspace, and 8 are the epoch. Then for each slot, in
// order, the slot as one byte and the number of its events as a base-128 integer, low digits first.
const VERSION = 1;
const EPOCH_AT = 17;
const SLOTS_AT = EPOCH_AT + 8;
/** A slot has one byte, and the number of its events, below 2^48, has up to seven. */
const MAX_BYTES = SLOTS_AT + (MAX_EVENT_SLOT + 1) * 8;

/** Formats a cursor, opaque to clients. */
export function formatCursor(workspaceId: string, { epoch, position }: Place): string {
  return createCursorFormat(workspaceId, epoch)(position);
}

/** Creates a function that formats cursors of one workspace and epoch, for one frame after another. */
export function createCursorFormat(
  workspaceId: string,
  epoch: string,
): (position: EventPosition) => string {
  const bytes = Buffer.alloc(MAX_BYTES);
  bytes[0] = VERSION;
  bytes.write(workspaceId.replaceAll('-', ''), 1, 'hex');
  bytes.write(epoch, EPOCH_AT, 'hex');

  return (position) => {
    let end = SLOTS_AT;
    for (const slot of [...position.keys()].toSorted((a, b) => a - b)) {
      let count = lastIn(position, slot) - startOfSlot(slot);
      if (count === 0) continue;
      bytes[end++] = slot;
      for (; count >= 128; count = Math.floor(count / 128)) bytes[end++] = 128 + (count % 128);
      bytes[end++] = count;
    }
    return bytes.toString('base64url', 0, end);
  };
}

/** Parses a cursor of this workspace; null for any other text. */
export function parseCursor(workspaceId: string, cursor: string): Place | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < SLOTS_AT) return null;
  const seqs: number[] = [];
  for (let at = SLOTS_AT; at < bytes.length;) {
    const slot = bytes[at++] ?? 0;
    let count = 0;
    let digit: number;
    let unit = 1;
    do {
      digit = bytes[at++] ?? 0;
      count += (digit % 128) * unit;
      unit *= 128;
    } while (digit >= 128 && count <= Number.MAX_SAFE_INTEGER);
    if (slot > MAX_EVENT_SLOT || count >= 2 ** 48) return null;
    seqs.push(startOfSlot(slot) + count);
  }
  const place = { epoch: bytes.toString('hex', EPOCH_AT, SLOTS_AT), position: positionOf(seqs) };
  // Only a text that formatting reproduces exactly is a cursor.
  return formatCursor(workspaceId, place) === cursor ? place : null;
}
