import type { FastifyInstance } from 'fastify';

/**
 * Drops requests of clients that have disconnected. An overloaded process accepts connections from
 * a queue in which many clients have already given up and sent the request again. If it answered
 * them, it would have no capacity for clients that still wait, and would not recover. Must be the
 * first hook, because all later work has a cost.
 */
export function dropGoneClients(app: FastifyInstance): void {
  const afterTwoTurns = createTwoTurnDelay();
  app.addHook('onRequest', (request, reply, done) => {
    // This turn has read the request; a later one reads that its client has disconnected.
    afterTwoTurns(() => {
      const { socket } = request.raw;
      if (!socket.destroyed && socket.writable) return done();
      reply.hijack();
      socket.destroy();
    });
  });
}

/**
 * Calls back after two turns of the event loop. Callers of the same turn share two `setImmediate`.
 */
function createTwoTurnDelay(): (callback: () => void) => void {
  let waiting: (() => void)[] = [];

  return (callback) => {
    if (waiting.push(callback) > 1) return;
    setImmediate(() => {
      const callbacks = waiting;
      waiting = [];
      setImmediate(() => {
        for (const run of callbacks) run();
      });
    });
  };
}
