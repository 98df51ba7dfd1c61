import type { FastifyInstance } from 'fastify';

/**
 * Drops requests of clients that have disconnected. An overloaded process accepts connections from
 * a queue in which many clients have already given up and sent the request again. If it answered
 * them, it would have no capacity for clients that still wait, and would not recover. Must be the
 * first hook, because all later work has a cost.
 */
export function dropGoneClients(app: FastifyInstance): void {
  const afterTwoTurns = createTurnstile();
  app.addHook('onRequest', (request, reply, done) => {
    // The first turn read the request; the next one reads that its client has disconnected.
    afterTwoTurns(() => {
      const { socket } = request.raw;
      if (!socket.destroyed && socket.writable) return done();
      reply.hijack();
      socket.destroy();
    });
  });
}

/** Calls back after two turns of the event loop; callers of one turn share its two timers. */
function createTurnstile(): (callback: () => void) => void {
  let entering: (() => void)[] = [];

  return (callback) => {
    if (entering.push(callback) > 1) return;
    setImmediate(() => {
      const leaving = entering;
      entering = [];
      setImmediate(() => {
        for (const leave of leaving) leave();
      });
    });
  };
}
