import { Redis } from 'ioredis';
import { type Finding, describeFailure } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** Asks by INFO, because hosted servers often refuse CONFIG. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) {
    const text = 'None configured: queue, bus and limits live in PostgreSQL.';
    return [{ verdict: 'good', part: 'redis', text }];
  }
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: unknown = null;
  // Unheard it would be printed besides being told below; it says more than the rejection does.
  redis.on('error', (error: unknown) => {
    failure = error;
  });
  try {
    await redis.connect();
    const info = parseInfo(await redis.info());
    return [checkServer(info), checkPolicy(info), checkPersistence(info)];
  } catch (error) {
    const text = `Redis does not answer (${describeFailure(failure ?? error)}): check REDIS_URL, and that the server runs and lets this machine in.`;
    return [{ verdict: 'bad', part: 'redis', text }];
  } finally {
    redis.disconnect();
  }
}

type Info = ReadonlyMap<string, string>;

function parseInfo(text: string): Info {
  return new Map(
    text
      .split(/\r?\n/)
      .map((line) => line.split(':'))
      .flatMap(([name, ...value]) =>
        name === undefined ? [] : [[name, value.join(':')] as const],
      ),
  );
}

function checkServer(info: Info): Finding {
  const part = 'redis';
  return info.get('role') === 'slave'
    ? { verdict: 'bad', part, text: 'REDIS_URL names a replica: point it at the master.' }
    : { verdict: 'good', part, text: `Redis ${info.get('redis_version') ?? ''} answers.` };
}

function checkPolicy(info: Info): Finding {
  const part = 'redis policy';
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  return policy === 'noeviction'
    ? { verdict: 'good', part, text: 'noeviction.' }
    : {
        verdict: 'bad',
        part,
        text: `maxmemory-policy is ${policy}, which lets Redis drop parts of the queue: set it to noeviction.`,
      };
}

/** Without it nothing is lost, but each restart hints every waiting message again. */
function checkPersistence(info: Info): Finding {
  const part = 'redis file';
  return info.get('aof_enabled') === '1'
    ? { verdict: 'good', part, text: 'Append-only.' }
    : {
        verdict: 'doubtful',
        part,
        text: 'A restart of Redis empties the queue, which is then filled again from PostgreSQL: set appendonly to yes.',
      };
}
