import { type ConnectionLimitOptions, limitConnections } from '@switchboard/runtime';
import type { FastifyInstance } from 'fastify';

/**
 * Limits the open connections of the app. A connection whose request is authorized is in use until the response, and a
 * WebSocket until it closes; both stay open. So a client without a credential cannot keep a connection by a request
 * that never ends.
 */
export function limitAppConnections(
  app: FastifyInstance,
  options: Omit<ConnectionLimitOptions, 'logger'>,
): void {
  const { keep, wait } = limitConnections(app.server, { ...options, logger: app.log });

  app.addHook('onRequest', ({ raw }, _reply, done) => {
    wait(raw.socket);
    done();
  });
  // The first hook after those that check the credential.
  app.addHook('preParsing', ({ raw, apiKey, session }, _reply, _payload, done) => {
    // Routes without a credential have neither.
    if ((apiKey ?? session) !== undefined) keep(raw.socket);
    done();
  });
  app.addHook('onResponse', ({ raw, ws }, _reply, done) => {
    if (!ws) wait(raw.socket);
    done();
  });
}
