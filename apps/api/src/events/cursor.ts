/** Version, the workspace's 16 bytes, 7 bytes of event number: 24 bytes, 32 URL-safe characters. */
const VERSION = 1;
const BYTES = 24;
const SEQ_OFFSET = 17;
const MAX_SEQ = Number.MAX_SAFE_INTEGER;

/** A place in a workspace's events, opaque to clients: everything up to `seq` has been seen. */
export function formatCursor(workspaceId: string, seq: number): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.write(workspaceId.replaceAll('-', ''), 1, 'hex');
  bytes.writeUInt8(Math.floor(seq / 2 ** 48), SEQ_OFFSET);
  bytes.writeUIntBE(seq % 2 ** 48, SEQ_OFFSET + 1, 6);
  return bytes.toString('base64url');
}

/** The event number of a cursor of this workspace; null for anything else. */
export function parseCursor(workspaceId: string, cursor: string): number | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== BYTES) return null;
  const seq = bytes.readUInt8(SEQ_OFFSET) * 2 ** 48 + bytes.readUIntBE(SEQ_OFFSET + 1, 6);
  // Written out again it must be the same: nothing but what we wrote is a cursor.
  return seq <= MAX_SEQ && formatCursor(workspaceId, seq) === cursor ? seq : null;
}
