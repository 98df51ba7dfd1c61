import { Redis } from 'ioredis';
import { explainRefusedCertificate } from './refused-certificate.ts';
import type { RedisAddress, RedisLogin, RedisTarget } from './parse-redis-url.ts';

export interface QueryOptions extends Pick<RedisTarget, 'tls'> {
  login: RedisLogin;
  timeoutMs: number;
}

export type Command = readonly [name: string, ...args: string[]];

/** Sends commands to one server on its own connection. Rejects within the timeout. */
export async function queryNode(
  address: RedisAddress,
  commands: readonly Command[],
  { login, tls, timeoutMs }: QueryOptions,
): Promise<unknown[]> {
  const client = new Redis({
    ...address,
    ...login,
    ...(tls !== null && { tls }),
    lazyConnect: true,
    // ioredis' ready check reads INFO fields that a sentinel does not have.
    enableReadyCheck: false,
    connectTimeout: timeoutMs,
    disconnectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: unknown = null;
  // The event has more details than the rejection.
  client.on('error', (error: unknown) => {
    failure = error;
  });
  try {
    await client.connect();
    return await Promise.all(commands.map(([name, ...args]) => client.call(name, ...args)));
  } catch (error) {
    throw explainRefusedCertificate(failure ?? error, address);
  } finally {
    client.disconnect();
  }
}
