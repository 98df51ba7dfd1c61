import type { Server, Socket } from 'node:net';

export interface ConnectionLimitOptions {
  /** The maximum number of open connections of the server. */
  limit: number;
  logger: { warn(fields: object, message: string): void };
  /** Receives the number of open connections after each change. */
  onChange?(open: number): void;
  /** Called for each connection that is closed because of the limit. */
  onClosed?(): void;
}

export interface ConnectionLimit {
  /** Keeps a connection open, whatever the number of others, until it waits again. */
  keep(socket: Socket): void;
  /** Marks a connection as the last one that is closed at the limit. */
  wait(socket: Socket): void;
}

/** The limit of a port for operators and monitoring, on which a few programs connect. */
export const OPERATOR_CONNECTIONS = 200;

const LOG_EVERY_MS = 60_000;

/**
 * Limits the open connections of a server. At the limit it does not refuse the new one, because a client
 * that holds idle connections could then keep all others out. It closes the connection that has waited the
 * longest, as nginx does with `worker_connections`.
 */
export function limitConnections(server: Server, options: ConnectionLimitOptions): ConnectionLimit {
  const { limit, logger, onChange, onClosed } = options;
  const open = new Set<Socket>();
  /** Connections that may be closed, the one that has waited the longest first. */
  const waiting = new Set<Socket>();
  let closedSinceLog = 0;
  let loggedAt = -Infinity;

  function remove(socket: Socket): void {
    open.delete(socket);
    waiting.delete(socket);
    onChange?.(open.size);
  }

  function logClosed(): void {
    closedSinceLog += 1;
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    logger.warn({ limit, closed: closedSinceLog }, 'connection limit reached');
    loggedAt = performance.now();
    closedSinceLog = 0;
  }

  server.on('connection', (socket: Socket) => {
    // The API emits a connection again after a request with an `Upgrade` header.
    if (open.has(socket)) return;
    open.add(socket);
    waiting.add(socket);
    socket.once('close', () => remove(socket));
    onChange?.(open.size);
    const [longest] = waiting;
    if (open.size <= limit || longest === undefined) return;
    remove(longest);
    longest.destroy();
    onClosed?.();
    logClosed();
  });

  return {
    keep: (socket) => void waiting.delete(socket),
    wait(socket) {
      waiting.delete(socket);
      if (open.has(socket)) waiting.add(socket);
    },
  };
}
