import { queryNode, parseRedisUrl, type RedisAddress } from '@switchboard/redis';
import { type Finding, describeFailure } from '../finding.ts';

const TIMEOUT_MS = 5_000;
const part = 'sentinels';

/** Checks each sentinel separately, because the next failover may use any of them. */
export async function checkSentinels(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) return [];
  const { kind, nodes, masterName, sentinelLogin: login, tls } = parseRedisUrl(url);
  if (kind !== 'sentinel') return [];
  const queryMaster = async (node: RedisAddress): Promise<string> => {
    const [master] = await queryNode(
      node,
      [
        ['SENTINEL', 'get-master-addr-by-name', masterName],
        // Fails if the sentinels have no quorum.
        ['SENTINEL', 'ckquorum', masterName],
      ],
      { login, tls, timeoutMs: TIMEOUT_MS },
    );
    return (master as string[]).join(':');
  };
  const responses = await Promise.allSettled(nodes.map(queryMaster));
  const masters = new Set(
    responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : [])),
  );
  const failures = responses.flatMap((response, index) =>
    response.status === 'fulfilled'
      ? []
      : [`${nodes[index]?.host}:${nodes[index]?.port}: ${describeFailure(response.reason)}`],
  );
  const failed = failures.join('; ');
  if (masters.size === 0) {
    const detail = `No sentinel has the master ${masterName} (${failed}): check REDIS_URL and the sentinels.`;
    return [{ result: 'problem', part, detail }];
  }
  if (masters.size > 1) {
    const detail = `The sentinels name different masters (${[...masters].join(', ')}): wait for the failover to end, or check their network.`;
    return [{ result: 'problem', part, detail }];
  }
  return failures.length > 0
    ? [{ result: 'warning', part, detail: `Some sentinels do not work: ${failed}.` }]
    : [{ result: 'good', part, detail: `${nodes.length} agree on the master.` }];
}
