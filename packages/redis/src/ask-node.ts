import { Redis } from 'ioredis';
import { explainRefusedCertificate } from './refused-certificate.ts';
import type { RedisAddress, RedisLogin, RedisTarget } from './parse-redis-url.ts';

export interface AskOptions extends Pick<RedisTarget, 'tls'> {
  login: RedisLogin;
  timeoutMs: number;
}

export type Command = readonly [name: string, ...args: string[]];

/** Asks one server some commands on a connection of its own. Rejects within the time-out. */
export async function askNode(
  address: RedisAddress,
  commands: readonly Command[],
  { login, tls, timeoutMs }: AskOptions,
): Promise<unknown[]> {
  const client = new Redis({
    ...address,
    ...login,
    ...(tls !== null && { tls }),
    lazyConnect: true,
    // A sentinel knows no INFO of a server that loads its data.
    enableReadyCheck: false,
    connectTimeout: timeoutMs,
    disconnectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: unknown = null;
  // It says more than the rejection does.
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
