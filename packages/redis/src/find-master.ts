import { queryNode } from './query-node.ts';
import type { RedisAddress, RedisTarget } from './parse-redis-url.ts';

/**
 * Part of all our keys: a cluster keeps keys with the same tag on one master, which BullMQ's scripts
 * need, because they use many keys at once. https://docs.bullmq.io/patterns/redis-cluster
 */
export const CLUSTER_TAG = '{switchboard}';

export interface MasterFinder {
  find(): Promise<RedisAddress>;
  /** Reports that the found server is not the master: the node that named it becomes the last to be queried. */
  distrust(): void;
}

/** Finds the master by querying the configured nodes, one after another. */
export function createMasterFinder(target: RedisTarget, timeoutMs: number): MasterFinder {
  let nodes: RedisAddress[] = [...target.nodes];
  const login = target.kind === 'sentinel' ? target.sentinelLogin : target.login;
  const options = { login, tls: target.tls, timeoutMs };

  async function query(node: RedisAddress): Promise<RedisAddress> {
    switch (target.kind) {
      case 'single':
        return node;
      case 'sentinel': {
        const [response] = await queryNode(
          node,
          [['SENTINEL', 'get-master-addr-by-name', target.masterName]],
          options,
        );
        return readSentinelResponse(response, target.masterName);
      }
      case 'cluster': {
        const [slot, ranges] = await queryNode(
          node,
          [
            ['CLUSTER', 'KEYSLOT', CLUSTER_TAG],
            ['CLUSTER', 'SLOTS'],
          ],
          options,
        );
        const { master, all } = readClusterResponse(node, Number(slot), ranges);
        // In time, all configured nodes may be replaced. The current nodes report their successors.
        nodes = uniqueOf([...nodes.filter((each) => isConfigured(each)), ...all]);
        return master;
      }
    }
  }

  /** A server ignores a SELECT of a database that it does not have, and continues with database 0. */
  let hasDatabase = target.database === 0;
  async function assertDatabase(master: RedisAddress): Promise<void> {
    if (hasDatabase) return;
    const { login: ownLogin, database, tls } = target;
    const select = ['SELECT', String(database)] as const;
    await queryNode(master, [select], { login: ownLogin, tls, timeoutMs }).catch(
      (error: unknown) => {
        if (!(error instanceof Error && /DB index/i.test(error.message))) throw error;
        throw new Error(
          `Redis has no database ${database}: set the number at the end of REDIS_URL to one below its \`databases\` (default 16)`,
        );
      },
    );
    hasDatabase = true;
  }

  const isConfigured = (node: RedisAddress) =>
    target.nodes.some(({ host, port }) => host === node.host && port === node.port);

  function distrust(): void {
    hasDatabase = target.database === 0;
    const first = nodes.shift();
    if (first !== undefined) nodes.push(first);
  }

  return {
    distrust,
    async find() {
      const failures: string[] = [];
      for (let left = nodes.length; left > 0; left -= 1) {
        const node = nodes[0] ?? target.nodes[0];
        try {
          const master = await query(node);
          await assertDatabase(master);
          return master;
        } catch (error) {
          if (target.kind === 'single') throw error;
          failures.push(`${node.host}:${node.port}: ${(error as Error).message}`);
          distrust();
        }
      }
      const who = target.kind === 'sentinel' ? 'sentinel' : 'node of the cluster';
      throw new Error(`no ${who} reports the master (${failures.join('; ')})`);
    },
  };
}

function readSentinelResponse(response: unknown, masterName: string): RedisAddress {
  if (!Array.isArray(response)) throw new Error(`it has no master named ${masterName}`);
  const [host, port] = response as unknown[];
  return { host: String(host), port: Number(port) };
}

/** https://redis.io/docs/latest/commands/cluster-slots: [from, to, [host, port, …], replicas …] */
function readClusterResponse(queried: RedisAddress, slot: number, ranges: unknown) {
  const toAddress = ([host, port]: [string | null, number]): RedisAddress => ({
    // A node that does not report its own name is the one that was queried.
    host: host === null || host === '' || host === '?' ? queried.host : host,
    port,
  });
  type Range = [from: number, to: number, ...nodes: [string | null, number][]];
  const all = (ranges as Range[]).map(([from, to, ...nodes]) => ({
    holdsOurs: from <= slot && slot <= to,
    nodes: nodes.map(toAddress),
  }));
  const master = all.find(({ holdsOurs }) => holdsOurs)?.nodes[0];
  if (master === undefined) throw new Error(`no node serves slot ${slot}`);
  return { master, all: all.flatMap(({ nodes }) => nodes) };
}

function uniqueOf(nodes: readonly RedisAddress[]): RedisAddress[] {
  return [...new Map(nodes.map((node) => [`${node.host} ${node.port}`, node])).values()];
}
