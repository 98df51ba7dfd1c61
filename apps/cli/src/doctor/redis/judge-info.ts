import type { Finding } from '../finding.ts';

/** The fields of Redis's INFO by name. */
export type Info = ReadonlyMap<string, string>;

const NEARLY_FULL = 0.8;

export function parseInfo(text: string): Info {
  return new Map(
    text
      .split(/\r?\n/)
      .map((line) => line.split(':'))
      .flatMap(([name, ...value]) =>
        name === undefined ? [] : [[name, value.join(':')] as const],
      ),
  );
}

/** Checks a server by its INFO. */
export function judgeInfo(
  info: Info,
  server: { cluster: Info | null; isReplicated: boolean; isTls: boolean },
): Finding[] {
  return [
    judgeServer(info, server.isTls),
    ...(server.isReplicated ? [judgeReplicas(info)] : []),
    ...(server.cluster === null ? [] : [judgeCluster(server.cluster)]),
    judgePolicy(info),
    judgeMemory(info),
    judgePersistence(info),
  ];
}

function judgeServer(info: Info, isTls: boolean): Finding {
  const part = 'redis';
  const how = isTls ? ' over TLS' : '';
  return info.get('role') === 'slave'
    ? { result: 'problem', part, detail: 'REDIS_URL names a replica: set it to the master.' }
    : { result: 'good', part, detail: `Redis ${info.get('redis_version') ?? ''} responds${how}.` };
}

function judgeReplicas(info: Info): Finding {
  const part = 'redis replicas';
  const count = Number(info.get('connected_slaves') ?? 0);
  return count > 0
    ? { result: 'good', part, detail: `Connected to the master: ${count}.` }
    : { result: 'warning', part, detail: 'The master has no replica for a failover: add one.' };
}

function judgeCluster(info: Info): Finding {
  const part = 'cluster';
  const state = info.get('cluster_state') ?? 'unknown';
  return state === 'ok'
    ? { result: 'good', part, detail: `${info.get('cluster_size')} masters serve every slot.` }
    : { result: 'problem', part, detail: `The cluster's state is ${state}: check CLUSTER NODES.` };
}

function judgePolicy(info: Info): Finding {
  const part = 'redis policy';
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  if (policy === 'noeviction') return { result: 'good', part, detail: 'noeviction.' };
  const detail = `maxmemory-policy is ${policy}, which lets Redis drop parts of the queue: set it to noeviction.`;
  return { result: 'problem', part, detail };
}

function judgeMemory(info: Info): Finding {
  const part = 'redis memory';
  const limit = Number(info.get('maxmemory') ?? 0);
  if (limit === 0) {
    return { result: 'good', part, detail: 'No limit (maxmemory 0).' };
  }
  // Replication buffers are part of the used memory but do not count toward the limit.
  const used =
    Number(info.get('used_memory') ?? 0) - Number(info.get('mem_not_counted_for_evict') ?? 0);
  const percent = `${Math.round((100 * used) / limit)}% of maxmemory is used`;
  return used < NEARLY_FULL * limit
    ? { result: 'good', part, detail: `${percent}.` }
    : { result: 'warning', part, detail: `${percent}: raise maxmemory before writes are refused.` };
}

/** Without an append-only file, every waiting message is queued again after a restart of Redis. */
function judgePersistence(info: Info): Finding {
  const part = 'redis file';
  if (info.get('aof_enabled') === '1') return { result: 'good', part, detail: 'Append-only.' };
  const detail =
    'A restart of Redis empties the queue, and workers fill it again from PostgreSQL: set appendonly to yes.';
  return { result: 'warning', part, detail };
}
