/** The longest PDU: a `message_payload` has at most 65,535 bytes. */
const MAX_FRAME_BYTES = 128 * 1024;

/**
 * Splits a stream into PDUs. `push` returns the whole ones, and null if the stream is not SMPP: then
 * the position of the next PDU is unknown, and the connection must be closed.
 */
export function createFrameReader() {
  let rest: Buffer = Buffer.alloc(0);

  return {
    push(chunk: Buffer): Buffer[] | null {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const frames: Buffer[] = [];
      let start = 0;
      while (start + 4 <= rest.length) {
        const length = rest.readUInt32BE(start);
        if (length < 16 || length > MAX_FRAME_BYTES) return null;
        if (start + length > rest.length) break;
        frames.push(rest.subarray(start, start + length));
        start += length;
      }
      rest = rest.subarray(start);
      return frames;
    },
  };
}
