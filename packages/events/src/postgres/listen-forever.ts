import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { reconnectDelayMs } from '@switchboard/core';
import { createPgClient } from '@switchboard/postgres';
import type pg from 'pg';

import { HEARTBEAT_MS, type TransportOptions } from '../transport.ts';

export interface PostgresTransportOptions extends TransportOptions {
  databaseUrl: string;
}

interface Subscription {
  client: pg.Client;
  /** Resolves when the connection ends and rejects when it fails. */
  ended: Promise<void>;
  /** Closes the socket: `client.end` may wait forever for an unreachable server. */
  cut(): void;
}

/**
 * Listens on a dedicated connection: connecting → listening → (connection lost) waiting →
 * connecting …, until closed.
 */
export function listenForever(options: PostgresTransportOptions) {
  const { onSubscribed, onError } = options;
  const closing = new AbortController();
  let current: Subscription | null = null;
  let pinging: Promise<unknown> | null = null;

  async function keepListening(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      try {
        const subscription = await subscribe(options, closing.signal);
        current = subscription;
        failures = 0;
        onSubscribed();
        await Promise.race([subscription.ended, watch(subscription)]).finally(subscription.cut);
      } catch (error) {
        if (!closing.signal.aborted) onError(error as Error);
      }
      current = null;
      await sleep(reconnectDelayMs(failures));
      failures += 1;
    }
  }

  /** Rejects when heartbeats fail: TCP may not detect a lost connection for hours. */
  async function watch(subscription: Subscription): Promise<void> {
    for (;;) {
      await sleep(HEARTBEAT_MS);
      if (current !== subscription || closing.signal.aborted) return;
      await ping();
    }
  }

  /** Concurrent calls share one query. */
  async function ping(): Promise<void> {
    if (current === null) throw new Error('the event bus is not subscribed');
    pinging ??= current.client.query('SELECT 1').finally(() => {
      pinging = null;
    });
    await pinging;
  }

  async function sleep(milliseconds: number): Promise<void> {
    // Rejects only because of `close`, which each loop checks itself.
    await delay(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  const finished = keepListening();
  return {
    ping,
    async close() {
      closing.abort();
      await finished;
    },
  };
}

async function subscribe(
  options: PostgresTransportOptions,
  signal: AbortSignal,
): Promise<Subscription> {
  const { databaseUrl, channel, timeoutMs, onPayload } = options;
  const socket = new Socket();
  const client = createPgClient(databaseUrl, {
    stream: () => socket,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  function cut(): void {
    signal.removeEventListener('abort', cut);
    socket.destroy();
  }
  const ended = new Promise<void>((resolve, reject) => {
    client.once('end', resolve);
    client.on('error', reject);
  });
  ended.catch(() => undefined); // Until LISTEN has succeeded, its own failure is reported.
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  signal.addEventListener('abort', cut);
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return { client, ended, cut };
  } catch (error) {
    cut();
    throw error;
  }
}
