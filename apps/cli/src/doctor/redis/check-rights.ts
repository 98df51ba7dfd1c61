import { randomUUID } from 'node:crypto';
import { type createRedis, toKeyPrefix } from '@switchboard/redis';
import { type Finding, describeFailure } from '../finding.ts';

type Redis = ReturnType<typeof createRedis>;

const PROBE_TTL_MS = 1_000;
const CHANNEL = 'switchboard_events';
/** The prefixes of the keys of the queue and of the rate limits. */
const KEYS = ['switchboard', 'limit'];
/** Writes a list, a hash, a sorted set and a stream, as BullMQ's scripts do, and deletes them. */
const SCRIPT = `
  redis.call('LPUSH', KEYS[1] .. ':list', 1)
  redis.call('HSET', KEYS[1] .. ':hash', 'field', 1)
  redis.call('ZADD', KEYS[1] .. ':set', 1, 'member')
  redis.call('XADD', KEYS[1] .. ':stream', 'MAXLEN', '~', 1, '*', 'field', 1)
  return redis.call('DEL', KEYS[1] .. ':list', KEYS[1] .. ':hash', KEYS[1] .. ':set', KEYS[1] .. ':stream')`;

/**
 * Checks that the user of `REDIS_URL` may do what the service does: with commands like those of the
 * service, because a user may not read its own rights, and hosted servers refuse ACL. No other check detects
 * full memory, a full disk or a read-only user.
 */
export async function checkRights(url: string, redis: Redis): Promise<Finding[]> {
  const keys = KEYS.map((prefix) => `${toKeyPrefix(url, prefix)}:doctor-${randomUUID()}`);
  const [key = ''] = keys;
  const subscriber = redis.duplicate({ lazyConnect: true });
  try {
    return [
      await check('redis writes', 'Redis accepts writes', async () => {
        for (const each of keys) await redis.set(each, '1', 'PX', PROBE_TTL_MS);
        await redis.bzpopmin(`${key}:none`, 0.001);
      }),
      await check('redis scripts', 'Redis runs the scripts of the queue', async () => {
        await redis.eval(SCRIPT, 1, key);
      }),
      await check('redis channel', 'Redis accepts notifications', async () => {
        await subscriber.connect();
        await subscriber.subscribe(CHANNEL);
        // Subscribers ignore a notification without a known kind.
        await redis.publish(CHANNEL, JSON.stringify(['doctor']));
      }),
    ];
  } finally {
    subscriber.disconnect();
  }
}

async function check(part: string, good: string, probe: () => Promise<void>): Promise<Finding> {
  try {
    await probe();
    return { result: 'good', part, detail: `${good}.` };
  } catch (error) {
    const reason = describeFailure(error);
    const advice = reason.startsWith('OOM')
      ? 'raise maxmemory'
      : /NOPERM|no permissions|can't (run|access)/i.test(reason)
        ? 'give the user of REDIS_URL the rights that docs/deploy.md lists ("A user for the service")'
        : "check the server's log and disk";
    return { result: 'problem', part, detail: `Redis refuses this (${reason}): ${advice}.` };
  }
}
