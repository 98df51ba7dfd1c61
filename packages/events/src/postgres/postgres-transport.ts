import { createPgPool } from '@switchboard/postgres';

import type { Transport } from '../transport.ts';
import { type PostgresTransportOptions, listenForever } from './listen-forever.ts';

export function createPostgresTransport(options: PostgresTransportOptions): Transport {
  const { databaseUrl, channel, timeoutMs, onError } = options;
  const listening = listenForever(options);
  // A single connection keeps the order.
  const publisher = createPgPool(databaseUrl, {
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Notifications need no durability, so a commit does not wait for the write-ahead log.
    onConnect: (client) => client.query('SET synchronous_commit TO off'),
  });
  publisher.on('error', onError);

  return {
    // The server removes duplicate payloads within a statement, which is harmless: they carry the
    // same notifications.
    async send(payloads) {
      await publisher.query({
        name: 'notify',
        text: 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload',
        values: [channel, payloads],
      });
    },
    ping: () => listening.ping(),
    async close() {
      await Promise.all([listening.close(), publisher.end()]);
    },
  };
}
