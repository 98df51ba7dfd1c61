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
   * each other. Null for cursors of the first release.
   */
  epoch: string | null;
  position: EventPosition;
}

// The first byte is the version, and the next 16 are the workspace.
//
// Version 3: 8 bytes of the epoch (0 for none), then for each slot, in order, the slot as one byte
// and the number of its events as a base-128 integer, low digits first. Versions 1 and 2, of
// releases without slots, have only slot 0: 7 bytes of event number, and in version 2 the epoch
// before them. A position in slot 0 is still written in one of these versions, so that a process of
// such a release can read the cursor.
const HEAD_BYTES = 17;
const EPOCH_BYTES = 8;
const SEQ_BYTES = 7;
const NO_EPOCH = '0'.repeat(2 * EPOCH_BYTES);
/** A slot has one byte, and the number of its events, below 2^48, has up to seven. */
const MAX_BYTES = HEAD_BYTES + EPOCH_BYTES + (MAX_EVENT_SLOT + 1) * 8;

/** Formats a cursor, opaque to clients. */
export function formatCursor(workspaceId: string, { epoch, position }: Place): string {
  return createCursorFormat(workspaceId, epoch)(position);
}

/** Creates a function that formats cursors of one workspace and epoch, for one frame after another. */
export function createCursorFormat(
  workspaceId: string,
  epoch: string | null,
): (position: EventPosition) => string {
  const bytes = Buffer.alloc(MAX_BYTES);
  bytes.write(workspaceId.replaceAll('-', ''), 1, 'hex');
  const epochBytes = Buffer.from(epoch ?? NO_EPOCH, 'hex');

  return (position) => {
    const slots = [...position.keys()].toSorted((a, b) => a - b);
    const hasSlots = slots.some((slot) => slot !== 0);
    let end = HEAD_BYTES;
    if (hasSlots || epoch !== null) {
      bytes.set(epochBytes, end);
      end += EPOCH_BYTES;
    }
    bytes[0] = hasSlots ? 3 : epoch === null ? 1 : 2;
    if (hasSlots) end = writeSlots(bytes, end, slots, position);
    else end = writeNumber(bytes, end, lastIn(position, 0));
    return bytes.toString('base64url', 0, end);
  };
}

function writeNumber(bytes: Buffer, start: number, seq: number): number {
  bytes.writeUInt8(Math.floor(seq / 2 ** 48), start);
  return bytes.writeUIntBE(seq % 2 ** 48, start + 1, SEQ_BYTES - 1);
}

function writeSlots(
  bytes: Buffer,
  start: number,
  slots: readonly number[],
  position: EventPosition,
): number {
  let end = start;
  for (const slot of slots) {
    let count = lastIn(position, slot) - startOfSlot(slot);
    if (count === 0) continue;
    bytes[end++] = slot;
    for (; count >= 128; count = Math.floor(count / 128)) bytes[end++] = 128 + (count % 128);
    bytes[end++] = count;
  }
  return end;
}

/** Parses a cursor of this workspace; null for any other text. */
export function parseCursor(workspaceId: string, cursor: string): Place | null {
  const bytes = Buffer.from(cursor, 'base64url');
  const place = bytes[0] === 3 ? parseSlots(bytes) : parseNumber(bytes);
  // Only a text that formatting reproduces exactly is a cursor.
  return place !== null && formatCursor(workspaceId, place) === cursor ? place : null;
}

function parseNumber(bytes: Buffer): Place | null {
  const seqOffset = bytes.length - SEQ_BYTES;
  if (seqOffset !== HEAD_BYTES && seqOffset !== HEAD_BYTES + EPOCH_BYTES) return null;
  const epoch = seqOffset === HEAD_BYTES ? null : bytes.toString('hex', HEAD_BYTES, seqOffset);
  const seq = bytes.readUInt8(seqOffset) * 2 ** 48 + bytes.readUIntBE(seqOffset + 1, 6);
  return seq <= Number.MAX_SAFE_INTEGER ? { epoch, position: positionOf([seq]) } : null;
}

function parseSlots(bytes: Buffer): Place | null {
  const start = HEAD_BYTES + EPOCH_BYTES;
  if (bytes.length < start) return null;
  const epoch = bytes.toString('hex', HEAD_BYTES, start);
  const seqs: number[] = [];
  for (let at = start; at < bytes.length;) {
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
  return { epoch: epoch === NO_EPOCH ? null : epoch, position: positionOf(seqs) };
}
