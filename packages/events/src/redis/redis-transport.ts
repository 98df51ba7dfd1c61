import { createRedis } from '@switchboard/redis';

import { HEARTBEAT_MS, type Transport, type TransportOptions } from '../transport.ts';

export interface RedisTransportOptions extends TransportOptions {
  redisUrl: string;
}

/** Redis wants a connection of its own for a subscription, so there are two. */
export function createRedisTransport(options: RedisTransportOptions): Transport {
  const { channel, onPayload, onSubscribed, onError } = options;
  const publisher = createClient(options);
  const subscriber = createClient(options);
  let isSubscribed = false;
  // Only the first attempt to connect is waited for. After it, "not connected" is an answer.
  const firstAttempt = new Promise<void>((resolve) => {
    publisher.once('ready', resolve);
    publisher.once('close', resolve);
  });

  async function subscribe(): Promise<void> {
    try {
      await subscriber.subscribe(channel);
      isSubscribed = true;
      onSubscribed();
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      subscriber.disconnect(true);
    }
  }

  subscriber.on('ready', () => void subscribe());
  subscriber.on('close', () => {
    isSubscribed = false;
  });
  subscriber.on('message', (_channel: string, payload: string) => onPayload(payload));

  // A silent connection is cut by its time-out, but only once it owes an answer.
  const heartbeat = setInterval(() => {
    if (isSubscribed) subscriber.ping().catch(() => undefined); // The cut is reported as an error.
  }, HEARTBEAT_MS);

  return {
    async send(payloads) {
      await firstAttempt;
      const pipeline = publisher.pipeline();
      for (const payload of payloads) pipeline.publish(channel, payload);
      const answers = (await pipeline.exec()) ?? [];
      const failed = answers.find(([error]) => error !== null)?.[0];
      if (failed) throw failed;
    },
    async ping() {
      if (!isSubscribed) throw new Error('The bus is not subscribed.');
      await subscriber.ping();
    },
    async close() {
      clearInterval(heartbeat);
      subscriber.disconnect();
      publisher.disconnect();
    },
  };
}

function createClient({ redisUrl, timeoutMs, onError }: RedisTransportOptions) {
  const client = createRedis({
    url: redisUrl,
    timeoutMs,
    silenceMs: timeoutMs,
    // Nothing is kept for later, and nothing is sent twice: a late notice is worth nothing.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Done here instead, where the end of it is seen.
    autoResubscribe: false,
  });
  client.on('error', onError);
  return client;
}
