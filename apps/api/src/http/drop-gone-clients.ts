import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * A process that is behind takes its connections from a queue in which clients have long given up,
 * to ask again behind it. Worked for, they would leave nothing for those who still wait, and the
 * process would never get out of it. Must be the first hook: everything after it costs.
 */
export function dropGoneClients(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    // The first turn is still the one that read the request; that its client has gone is read in
    // the next.
    await nextTurn();
    await nextTurn();
    const { socket } = request.raw;
    if (!socket.destroyed && socket.writable) return;
    reply.hijack();
    socket.destroy();
  });
}
