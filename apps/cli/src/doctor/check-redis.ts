import {
  askNode,
  createRedis,
  parseRedisUrl,
  type RedisAddress,
  type RedisTarget,
} from '@switchboard/redis';
import { type Finding, describeFailure } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** Asks by INFO, because hosted servers often refuse CONFIG. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) {
    const text = 'None configured: queue, bus and limits live in PostgreSQL.';
    return [{ verdict: 'good', part: 'redis', text }];
  }
  const target = parseRedisUrl(url);
  return [
    ...(target.kind === 'sentinel' ? [await checkSentinels(target)] : []),
    ...(await checkMaster(url, target)),
  ];
}

async function checkMaster(url: string, { kind, tls }: RedisTarget): Promise<Finding[]> {
  const redis = createRedis({
    url,
    timeoutMs: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
  });
  let failure: unknown = null;
  // Unheard it would be printed besides being told below; it says more than the rejection does.
  redis.on('error', (error: unknown) => {
    failure ??= error;
  });
  try {
    await redis.connect();
    const info = parseInfo(await redis.info());
    return [
      checkServer(info, tls !== null),
      ...(kind === 'single' ? [] : [checkReplicas(info)]),
      ...(kind === 'cluster' ? [checkCluster(parseInfo(await redis.cluster('INFO')))] : []),
      checkPolicy(info),
      checkPersistence(info),
    ];
  } catch (error) {
    const text = `Redis does not answer (${describeFailure(failure ?? error)}): check REDIS_URL, and that the server runs and lets this machine in.`;
    return [{ verdict: 'bad', part: 'redis', text }];
  } finally {
    redis.disconnect();
  }
}

/** Each is asked, for the one that is wrong may be the one that is asked at the next failover. */
async function checkSentinels(target: RedisTarget): Promise<Finding> {
  const part = 'sentinels';
  const { nodes, masterName, sentinelLogin: login, tls } = target;
  const ask = async (node: RedisAddress): Promise<string> => {
    const [master] = await askNode(
      node,
      [
        ['SENTINEL', 'get-master-addr-by-name', masterName],
        // Refused when they are too few to agree.
        ['SENTINEL', 'ckquorum', masterName],
      ],
      { login, tls, timeoutMs: TIMEOUT_MS },
    );
    return (master as string[]).join(':');
  };
  const asked = await Promise.allSettled(nodes.map(ask));
  const masters = new Set(asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  const failures = asked.flatMap((one, index) =>
    one.status === 'fulfilled'
      ? []
      : [`${nodes[index]?.host}:${nodes[index]?.port}: ${describeFailure(one.reason)}`],
  );
  const told = failures.join('; ');
  if (masters.size === 0) {
    const text = `No sentinel knows ${masterName} (${told}): check REDIS_URL and the sentinels.`;
    return { verdict: 'bad', part, text };
  }
  if (masters.size > 1) {
    const text = `They name different masters (${[...masters].join(', ')}): a failover is under way, or some are cut off.`;
    return { verdict: 'bad', part, text };
  }
  return failures.length > 0
    ? { verdict: 'doubtful', part, text: `Not all can do their work: ${told}.` }
    : { verdict: 'good', part, text: `${nodes.length} agree on the master.` };
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

function checkServer(info: Info, isOverTls: boolean): Finding {
  const part = 'redis';
  const how = isOverTls ? ' over TLS' : '';
  return info.get('role') === 'slave'
    ? { verdict: 'bad', part, text: 'REDIS_URL names a replica: point it at the master.' }
    : { verdict: 'good', part, text: `Redis ${info.get('redis_version') ?? ''} answers${how}.` };
}

function checkReplicas(info: Info): Finding {
  const part = 'redis copies';
  const count = Number(info.get('connected_slaves') ?? 0);
  return count > 0
    ? { verdict: 'good', part, text: `The master has ${count}.` }
    : { verdict: 'doubtful', part, text: 'The master has no replica to take its place: add one.' };
}

function checkCluster(info: Info): Finding {
  const part = 'cluster';
  const state = info.get('cluster_state') ?? 'unknown';
  return state === 'ok'
    ? { verdict: 'good', part, text: `${info.get('cluster_size')} masters serve every slot.` }
    : { verdict: 'bad', part, text: `Its state is ${state}: look at CLUSTER NODES.` };
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
