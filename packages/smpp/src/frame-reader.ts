/** The longest PDU: a `message_payload` has at most 65,535 bytes. */
const MAX_FRAME_BYTES = 128 * 1024;
const LENGTH_BYTES = 4;

/**
 * Splits a stream into PDUs. `push` returns the whole ones, and null if the stream is not SMPP: then
 * the position of the next PDU is unknown, and the connection must be closed.
 */
export function createFrameReader() {
  let chunks: Buffer[] = [];
  let size = 0;
  /** Fewer bytes complete no PDU, so they are not joined: a peer may send single bytes. */
  let needed = LENGTH_BYTES;

  return {
    /** Whether a part of a PDU has arrived. */
    get isPartial(): boolean {
      return size > 0;
    },

    push(chunk: Buffer): Buffer[] | null {
      chunks.push(chunk);
      size += chunk.length;
      if (size < needed) return [];
      const all = chunks.length === 1 ? chunk : Buffer.concat(chunks, size);
      const frames: Buffer[] = [];
      let start = 0;
      needed = LENGTH_BYTES;
      while (start + LENGTH_BYTES <= all.length) {
        const length = all.readUInt32BE(start);
        if (length < 16 || length > MAX_FRAME_BYTES) return null;
        if (start + length > all.length) {
          needed = length;
          break;
        }
        frames.push(all.subarray(start, start + length));
        start += length;
      }
      const rest = all.subarray(start);
      size = rest.length;
      chunks = size === 0 ? [] : [rest];
      return frames;
    },
  };
}
