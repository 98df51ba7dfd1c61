import type { FastifyInstance } from 'fastify';

const EVERY_MS = 50;

/**
 * A server that closes ends the connections that are idle at that moment, and would then wait for
 * those that become idle after their answer, for as long as they are kept alive.
 */
export function endIdleConnectionsOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), EVERY_MS);
    app.server.once('close', () => clearInterval(timer));
    // A server that never listened has no close to wait for.
    if (!app.server.listening) clearInterval(timer);
  });
}
