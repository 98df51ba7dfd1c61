import { randomBytes } from 'node:crypto';
import { readTestingConfig } from '../config.ts';
import { startRedis } from './start-redis.ts';

export interface TestRedis {
  url: string;
  /** The prefix of every key, queue and channel: the server may be shared with other test files. */
  prefix: string;
  close(): Promise<void>;
}

/**
 * Returns a Redis that a test must not stop: the shared server of `REDIS_URL`, or a new one for the
 * caller.
 */
export async function createTestRedis(): Promise<TestRedis> {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const { redisUrl } = readTestingConfig();
  if (redisUrl !== undefined) return { url: redisUrl, prefix, close: async () => undefined };
  const { url, close } = await startRedis();
  return { url, prefix, close };
}
