import { CLOSE_CODES } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import { type Connection, closeConnection } from './connection.ts';

const WINDOW_MS = 10_000;
/** A client sends a report of about 100 bytes every three seconds, and answers pings. */
const MAX_BYTES = 64 * 1024;

/**
 * Closes a connection whose client sends too many bytes. Bytes are counted, and not messages, because pings,
 * empty fragments and messages that are ignored cost as much.
 */
export function limitReceived(connection: Connection, clock: Pick<Clock, 'monotonic'>): void {
  const { socket, stream } = connection;
  let endsAt = -Infinity;
  let bytes = 0;

  stream.on('data', (chunk: Buffer) => {
    const now = clock.monotonic();
    if (now >= endsAt) {
      endsAt = now + WINDOW_MS;
      bytes = 0;
    }
    bytes += chunk.length;
    if (bytes <= MAX_BYTES || socket.readyState !== socket.OPEN) return;
    closeConnection(connection, CLOSE_CODES.sendsTooMuch);
    // Reads nothing more, not even the response to the close frame, for which `ws` waits a limited time.
    socket.pause();
  });
}
