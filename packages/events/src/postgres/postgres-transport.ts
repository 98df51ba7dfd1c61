import pg from 'pg';

import type { Transport } from '../transport.ts';
import { type PostgresTransportOptions, listenForever } from './listen-forever.ts';

export function createPostgresTransport(options: PostgresTransportOptions): Transport {
  const { databaseUrl, channel, timeoutMs, onError } = options;
  const listening = listenForever(options);
  // One connection, so that what is published first arrives first.
  const publisher = new pg.Pool({
    connectionString: databaseUrl,
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A notice writes to the log that a commit waits for, and is never read from it.
    onConnect: (client) => client.query('SET synchronous_commit TO off'),
  });
  publisher.on('error', onError);

  return {
    // The server drops a payload that equals another of the same statement: notices that say the
    // same thing twice say it once.
    async send(payloads) {
      await publisher.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [
        channel,
        payloads,
      ]);
    },
    ping: () => listening.ping(),
    async close() {
      await Promise.all([listening.close(), publisher.end()]);
    },
  };
}
