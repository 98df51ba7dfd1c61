/** A position in a workspace's events: the client has received everything up to `seq`. */
export interface Place {
  /**
   * The database's epoch, 16 hexadecimal digits: event numbers of different epochs don't continue
   * each other. Null for cursors of the previous release.
   */
  epoch: string | null;
  seq: number;
}

// Version 1, which the previous release reads and writes: the version, the workspace's 16 bytes, 7
// bytes of event number. Version 2 has the epoch's 8 bytes between the last two.
const EPOCH_OFFSET = 17;
const EPOCH_BYTES = 8;
const SEQ_BYTES = 7;
const MAX_SEQ = Number.MAX_SAFE_INTEGER;

/** Formats a cursor, opaque to clients. */
export function formatCursor(workspaceId: string, { epoch, seq }: Place): string {
  const seqOffset = EPOCH_OFFSET + (epoch === null ? 0 : EPOCH_BYTES);
  const bytes = Buffer.alloc(seqOffset + SEQ_BYTES);
  bytes.writeUInt8(epoch === null ? 1 : 2, 0);
  bytes.write(workspaceId.replaceAll('-', ''), 1, 'hex');
  if (epoch !== null) bytes.write(epoch, EPOCH_OFFSET, 'hex');
  bytes.writeUInt8(Math.floor(seq / 2 ** 48), seqOffset);
  bytes.writeUIntBE(seq % 2 ** 48, seqOffset + 1, 6);
  return bytes.toString('base64url');
}

/** Parses a cursor of this workspace; null for any other text. */
export function parseCursor(workspaceId: string, cursor: string): Place | null {
  const bytes = Buffer.from(cursor, 'base64url');
  const seqOffset = bytes.length - SEQ_BYTES;
  if (seqOffset !== EPOCH_OFFSET && seqOffset !== EPOCH_OFFSET + EPOCH_BYTES) return null;
  const epoch = seqOffset === EPOCH_OFFSET ? null : bytes.toString('hex', EPOCH_OFFSET, seqOffset);
  const seq = bytes.readUInt8(seqOffset) * 2 ** 48 + bytes.readUIntBE(seqOffset + 1, 6);
  const place = { epoch, seq };
  // Only a text that formatting reproduces exactly is a cursor.
  return seq <= MAX_SEQ && formatCursor(workspaceId, place) === cursor ? place : null;
}
