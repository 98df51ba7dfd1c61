import { randomBytes } from 'node:crypto';
import { readTestingConfig } from '../config.ts';
import { startRedis } from './start-redis.ts';

export interface TestRedis {
  url: string;
  /** For every key, queue and channel: the server may be shared with other test files. */
  prefix: string;
  close(): Promise<void>;
}

/** Redis to use, not to hurt: the server of `REDIS_URL`, shared, or one of the caller's own. */
export async function createTestRedis(): Promise<TestRedis> {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const { redisUrl } = readTestingConfig();
  if (redisUrl !== undefined) return { url: redisUrl, prefix, close: async () => undefined };
  const { url, close } = await startRedis();
  return { url, prefix, close };
}
