import type { FastifyInstance } from 'fastify';

/**
 * A process that is behind takes its connections from a queue in which clients have long given up,
 * to ask again behind it. Worked for, they would leave nothing for those who still wait, and the
 * process would never get out of it. Must be the first hook: everything after it costs.
 */
export function dropGoneClients(app: FastifyInstance): void {
  const afterTwoTurns = createTurnstile();
  app.addHook('onRequest', (request, reply, done) => {
    // The first turn is still the one that read the request; that its client has gone is read in
    // the next.
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
