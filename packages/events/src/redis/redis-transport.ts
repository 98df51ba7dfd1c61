import { createRedis } from '@switchboard/redis';

import { HEARTBEAT_MS, type Transport, type TransportOptions } from '../transport.ts';

export interface RedisTransportOptions extends TransportOptions {
  redisUrl: string;
}

/** Uses two connections, because Redis requires a separate one for a subscription. */
export function createRedisTransport(options: RedisTransportOptions): Transport {
  const { channel, onPayload, onSubscribed, onError } = options;
  const publisher = createClient(options);
  const subscriber = createClient(options);
  let isSubscribed = false;
  // The first `send` waits for the first connection attempt. Later calls fail if not connected.
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

  // The client detects a dead connection only while a command is pending, so pings are sent.
  const heartbeat = setInterval(() => {
    if (isSubscribed) subscriber.ping().catch(() => undefined); // The client reports the lost connection.
  }, HEARTBEAT_MS);

  return {
    async send(payloads) {
      await firstAttempt;
      const pipeline = publisher.pipeline();
      for (const payload of payloads) pipeline.publish(channel, payload);
      const responses = (await pipeline.exec()) ?? [];
      const failed = responses.find(([error]) => error !== null)?.[0];
      if (failed) throw failed;
    },
    async ping() {
      if (!isSubscribed) throw new Error('the event bus is not subscribed');
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
    // No offline queue and no retries: a late notification is useless.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // `subscribe` above subscribes again, and reports when it has succeeded.
    autoResubscribe: false,
  });
  client.on('error', onError);
  return client;
}
