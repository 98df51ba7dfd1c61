import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const EVERY_MS = 50;
/** For the first request of a connection that was just made: it may be on its way. */
const FIRST_REQUEST_MS = 1_000;

/**
 * A server that closes ends the connections that are idle at that moment, and would then wait for
 * those that become idle after their answer, for as long as they are kept alive; and for those on
 * which no request has begun, which Node takes for busy. Browsers and balancers make such ones.
 */
export function endIdleConnectionsOnClose(app: FastifyInstance): void {
  const silent = new Set<Socket>();
  const seen = new WeakSet<Socket>();
  app.server.on('connection', (socket: Socket) => {
    // A connection comes again when a request is put back on it: see answer-without-upgrade.ts.
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
    // A server that never listened has no close to wait for.
    if (!app.server.listening) clearInterval(timer);
  });
}
