import { randomUUID } from 'node:crypto';
import { createRedis, parseRedisUrl, toKeyPrefix } from '@switchboard/redis';
import { type Finding, describeFailure } from '../finding.ts';
import { judgeInfo, parseInfo } from './judge-info.ts';

const TIMEOUT_MS = 5_000;
const PROBE_TTL_MS = 1_000;

/** Checks Redis with INFO and one write, because hosted servers often refuse CONFIG. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) {
    const detail = 'Not used: PostgreSQL has the queue, the event bus and the rate limits.';
    return [{ result: 'good', part: 'redis', detail }];
  }
  const { kind, tls } = parseRedisUrl(url);
  const redis = createRedis({
    url,
    timeoutMs: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
  });
  let failure: unknown = null;
  // The error of the event has more detail than the rejection that follows it.
  redis.on('error', (error: unknown) => {
    failure ??= error;
  });
  try {
    await redis.connect();
    const info = parseInfo(await redis.info());
    const cluster = kind === 'cluster' ? parseInfo(await redis.cluster('INFO')) : null;
    const findings = judgeInfo(info, {
      cluster,
      isReplicated: kind !== 'single',
      isTls: tls !== null,
    });
    const isReplica = info.get('role') === 'slave';
    if (isReplica) return findings;
    return [...findings, await checkWrite(() => writeProbe(url, redis))];
  } catch (error) {
    const detail = `Redis does not respond (${describeFailure(failure ?? error)}): check REDIS_URL, and that the server runs and accepts connections from this machine.`;
    return [{ result: 'problem', part: 'redis', detail }];
  } finally {
    redis.disconnect();
  }
}

async function writeProbe(url: string, redis: ReturnType<typeof createRedis>): Promise<void> {
  const key = toKeyPrefix(url, `switchboard-doctor:${randomUUID()}`);
  await redis.set(key, '1', 'PX', PROBE_TTL_MS);
}

/** Checks a write: no other check detects full memory, a full disk or a read-only login. */
async function checkWrite(write: () => Promise<void>): Promise<Finding> {
  const part = 'redis writes';
  try {
    await write();
    return { result: 'good', part, detail: 'Redis accepts writes.' };
  } catch (error) {
    const reason = describeFailure(error);
    const advice = reason.startsWith('OOM')
      ? 'raise maxmemory'
      : reason.startsWith('NOPERM')
        ? 'give the user of REDIS_URL write access to all keys'
        : "check the server's log and disk";
    return { result: 'problem', part, detail: `Redis refuses writes (${reason}): ${advice}.` };
  }
}
