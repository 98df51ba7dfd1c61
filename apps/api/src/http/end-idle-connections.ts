import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const EVERY_MS = 50;
/** How long to wait for the first request of a new connection. */
const FIRST_REQUEST_MS = 1_000;

/**
 * Closes connections that become idle while the server closes. Node only closes those that are idle
 * at the start. It would wait for the keep-alive timeout of the others, and for connections without
 * a request, which Node counts as busy. Browsers and load balancers open such connections.
 */
export function endIdleConnectionsOnClose(app: FastifyInstance): void {
  const silent = new Set<Socket>();
  const seen = new WeakSet<Socket>();
  app.server.on('connection', (socket: Socket) => {
    // `respondWithoutUpgrade` emits a connection again after a request with an `Upgrade` header.
    if (seen.has(socket)) return;
    seen.add(socket);
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  app.addHook('onRequest', (request, _reply, done) => {
    silent.delete(request.raw.socket);
    done();
  });

  app.addHook('preClose', async () => {
    const since = performance.now();
    const timer = setInterval(() => {
      app.server.closeIdleConnections();
      if (performance.now() - since < FIRST_REQUEST_MS) return;
      for (const socket of silent) socket.destroy();
    }, EVERY_MS);
    app.server.once('close', () => clearInterval(timer));
    // A server that never listened is already closed.
    if (!app.server.listening) clearInterval(timer);
  });
}
