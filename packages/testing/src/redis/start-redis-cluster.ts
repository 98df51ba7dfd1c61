import { CLUSTER_TAG, queryNode } from '@switchboard/redis';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  COMMAND_TIMEOUT_MS,
  type RedisGroup,
  STEP_TIMEOUT_MS,
  createRedisGroup,
  retry,
} from './redis-group.ts';
import { type RedisServer, startRedis } from './start-redis.ts';

const MASTERS = 3;
const SLOTS = 16_384;

interface Node {
  server: RedisServer;
  busPort: number;
}

/**
 * Starts three masters and a replica of the one with our keys. A failed master is replaced after a
 * second.
 */
export async function startRedisCluster(options: { program?: string } = {}): Promise<RedisGroup> {
  const nodes: Node[] = [];
  const query = async (node: Node, ...command: [string, ...string[]]) => {
    const { port } = node.server;
    const login = { login: {}, tls: null, timeoutMs: COMMAND_TIMEOUT_MS };
    return (await queryNode({ host: '127.0.0.1', port }, [command], login))[0];
  };

  async function close(): Promise<void> {
    for (const { server } of nodes) await server.close();
  }

  try {
    for (let count = 0; count <= MASTERS; count += 1) {
      const busPort = await findFreePort();
      const settings = {
        'cluster-enabled': 'yes',
        'cluster-port': String(busPort),
        'cluster-node-timeout': '1000',
        // Lets a replica take over even after a long disconnection.
        'cluster-replica-validity-factor': '0',
      };
      nodes.push({ busPort, server: await startRedis({ ...options, settings }) });
    }
    const [first, ...others] = nodes as [Node, ...Node[]];
    const masters = nodes.slice(0, MASTERS);
    const replica = nodes[MASTERS] as Node;
    const share = Math.ceil(SLOTS / MASTERS);
    for (const [index, node] of masters.entries()) {
      const last = Math.min((index + 1) * share, SLOTS) - 1;
      await query(node, 'CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last));
      await query(node, 'CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    }
    for (const { server, busPort } of others) {
      await query(first, 'CLUSTER', 'MEET', '127.0.0.1', String(server.port), String(busPort));
    }
    const ours = Math.floor(Number(await query(first, 'CLUSTER', 'KEYSLOT', CLUSTER_TAG)) / share);
    const master = masters[ours] as Node;
    const masterId = String(await query(master, 'CLUSTER', 'MYID'));
    await retry(STEP_TIMEOUT_MS, () => query(replica, 'CLUSTER', 'REPLICATE', masterId));
    await retry(STEP_TIMEOUT_MS, async () => {
      for (const node of nodes) {
        const info = String(await query(node, 'CLUSTER', 'INFO'));
        if (!info.includes('cluster_state:ok')) throw new Error('the cluster has not formed');
        const known = String(await query(node, 'CLUSTER', 'NODES'));
        if (!/ (myself,)?slave /.test(known)) throw new Error('not all nodes list the replica');
      }
      const role = (await query(master, 'ROLE')) as [string, number, unknown[]];
      if (role[2].length === 0) throw new Error('the replica has not caught up');
    });
    const hosts = masters.map(({ server }) => `127.0.0.1:${server.port}`).join(',');
    return createRedisGroup(
      `redis+cluster://${hosts}`,
      nodes.map(({ server }) => server),
      close,
    );
  } catch (error) {
    await close();
    throw error;
  }
}
