import { createRedis, parseRedisUrl } from '@switchboard/redis';
import { type Finding, describeFailure } from '../finding.ts';
import { checkRights } from './check-rights.ts';
import { judgeInfo, parseInfo } from './judge-info.ts';

const TIMEOUT_MS = 5_000;

/** Checks Redis with INFO and a few commands like those of the service, because hosted servers often refuse CONFIG. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) {
    const detail = 'Not used: the queue, the event bus and the rate limits use PostgreSQL.';
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
    return [...findings, ...(await checkRights(url, redis))];
  } catch (error) {
    const detail = `Redis does not respond (${describeFailure(failure ?? error)}): check REDIS_URL, and that the server runs and accepts connections from this machine.`;
    return [{ result: 'problem', part: 'redis', detail }];
  } finally {
    redis.disconnect();
  }
}
