import { CLOSE_CODES } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import { type Connection, closeConnection, sendFrame } from './connection.ts';
import { serializeFrame } from './event-frames.ts';

export interface SocketCheckOptions {
  connections: Iterable<Connection>;
  clock: Pick<Clock, 'monotonic'>;
  pingMs: number;
  maxBufferedBytes: number;
  /** The longest time between two checks. */
  maxTickMs: number;
}

const HEARTBEAT = serializeFrame({ type: 'heartbeat' });

/**
 * Returns a function that checks all sockets: it ends those that do not answer pings or read too slowly, and sends
 * pings and heartbeats that would be late at the next check.
 */
export function createSocketCheck(options: SocketCheckOptions): () => void {
  const { connections, clock, pingMs, maxBufferedBytes, maxTickMs } = options;

  function ping(connection: Connection, now: number): void {
    if (now < connection.nextPingAt) return;
    if (connection.awaitingPong) connection.socket.terminate();
    else connection.socket.ping();
    connection.awaitingPong = true;
    connection.nextPingAt = now + pingMs;
  }

  function beat(connection: Connection, now: number): void {
    const { heartbeatMs, lastHeartbeatAt } = connection;
    if (heartbeatMs === null || now + maxTickMs < lastHeartbeatAt + heartbeatMs) return;
    sendFrame(connection, HEARTBEAT);
    connection.lastHeartbeatAt = now;
  }

  return () => {
    const now = clock.monotonic();
    for (const connection of connections) {
      const { socket } = connection;
      if (socket.readyState !== socket.OPEN) continue;
      if (socket.bufferedAmount > maxBufferedBytes) {
        closeConnection(connection, CLOSE_CODES.tooSlow);
        continue;
      }
      beat(connection, now);
      ping(connection, now);
    }
  };
}
