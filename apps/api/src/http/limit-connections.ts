import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface ConnectionLimitOptions {
  /** The maximum number of open connections of the server. */
  limit: number;
  /** Receives the number of open connections after each change. */
  onChange(open: number): void;
  /** Called for each connection that is closed because of the limit. */
  onClosed(): void;
}

const LOG_EVERY_MS = 60_000;

/**
 * Limits the open connections of the server. At the limit it does not refuse the new one, because a client
 * that holds idle connections could then keep all others out. It closes the connection that has waited the
 * longest since its last request, as nginx does with `worker_connections`. A connection whose request is
 * authorized is in use until the response, and a WebSocket until it closes; both stay open. So a client
 * without a credential cannot keep a connection by a request that never ends.
 */
export function limitConnections(app: FastifyInstance, options: ConnectionLimitOptions): void {
  const { limit, onChange, onClosed } = options;
  const open = new Set<Socket>();
  /** Connections that may be closed, the one that has waited the longest first. */
  const waiting = new Set<Socket>();
  let closedSinceLog = 0;
  let loggedAt = -Infinity;

  function remove(socket: Socket): void {
    open.delete(socket);
    waiting.delete(socket);
    onChange(open.size);
  }

  function wait(socket: Socket): void {
    waiting.delete(socket);
    if (open.has(socket)) waiting.add(socket);
  }

  function logClosed(): void {
    closedSinceLog += 1;
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    app.log.warn({ limit, closed: closedSinceLog }, 'connection limit reached');
    loggedAt = performance.now();
    closedSinceLog = 0;
  }

  app.server.on('connection', (socket: Socket) => {
    // `answerWithoutUpgrade` emits a connection again after a request with an `Upgrade` header.
    if (open.has(socket)) return;
    open.add(socket);
    waiting.add(socket);
    socket.once('close', () => remove(socket));
    onChange(open.size);
    const [longest] = waiting;
    if (open.size <= limit || longest === undefined) return;
    remove(longest);
    longest.destroy();
    onClosed();
    logClosed();
  });

  app.addHook('onRequest', ({ raw }, _reply, done) => {
    wait(raw.socket);
    done();
  });
  // The first hook after those that check the credential.
  app.addHook('preParsing', ({ raw, apiKey, session }, _reply, _payload, done) => {
    // Routes without a credential have neither.
    if ((apiKey ?? session) !== undefined) waiting.delete(raw.socket);
    done();
  });
  app.addHook('onResponse', ({ raw, ws }, _reply, done) => {
    if (!ws) wait(raw.socket);
    done();
  });
}
