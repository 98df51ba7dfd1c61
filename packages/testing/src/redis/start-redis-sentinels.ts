import { queryNode, parseRedisUrl } from '@switchboard/redis';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { readTestingConfig } from '../config.ts';
import { type ChildProcess, startChild } from '../processes/start-child.ts';
import { requestProgram } from '../request-test-services.ts';
import { type CertificateName, certificatePath } from './certificates.ts';
import {
  COMMAND_TIMEOUT_MS,
  type RedisGroup,
  STEP_TIMEOUT_MS,
  createRedisGroup,
  retry,
} from './redis-group.ts';
import { type RedisServer, portSettings, startRedis } from './start-redis.ts';

const SENTINELS = 3;
const MASTER = 'mymaster';
// Servers and sentinels have different passwords, so that a client which confuses them fails.
const PASSWORD = 'of-redis';
const SENTINEL_PASSWORD = 'of-sentinels';

/** Starts a master, a replica and three sentinels, which detect a failed master after a second. */
export async function startRedisSentinels(
  options: { certificate?: CertificateName; program?: string } = {},
): Promise<RedisGroup> {
  const { certificate } = options;
  const program = options.program ?? (await requestProgram('redis-server'));
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-sentinels-'));
  const servers: RedisServer[] = [];
  const sentinels: ChildProcess[] = [];

  async function close(): Promise<void> {
    for (const sentinel of sentinels) await sentinel.kill();
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  }

  async function startSentinel(masterPort: number): Promise<number> {
    const port = await findFreePort();
    const file = join(folder, `${port}.conf`);
    const lines = [
      ...Object.entries(portSettings(port, certificate)).map(([name, value]) => `${name} ${value}`),
      'bind 127.0.0.1',
      `dir ${folder}`,
      `requirepass ${SENTINEL_PASSWORD}`,
      `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
      `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} ${SENTINELS - 1}`,
      `sentinel auth-pass ${MASTER} ${PASSWORD}`,
      `sentinel down-after-milliseconds ${MASTER} 1000`,
      `sentinel failover-timeout ${MASTER} 3000`,
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const sentinel = await startChild({
      name: 'Sentinel',
      command: program,
      args: [file, '--sentinel'],
      env: { PATH: readTestingConfig().path },
      isReady: (line) => line.includes(`+monitor master ${MASTER}`),
    });
    sentinels.push(sentinel);
    return port;
  }

  try {
    const settings = { requirepass: PASSWORD, masterauth: PASSWORD };
    for (let count = 0; count < 2; count += 1) {
      servers.push(await startRedis({ settings, program, ...(certificate && { certificate }) }));
    }
    const [master, replica] = servers as [RedisServer, RedisServer];
    const { tls } = parseRedisUrl(master.url);
    await queryNode(
      { host: '127.0.0.1', port: replica.port },
      [['REPLICAOF', '127.0.0.1', String(master.port)]],
      { login: { password: PASSWORD }, tls, timeoutMs: COMMAND_TIMEOUT_MS },
    );

    const ports: number[] = [];
    for (let count = 0; count < SENTINELS; count += 1) {
      ports.push(await startSentinel(master.port));
    }
    // A failover fails before the sentinels have found the replica and each other.
    await retry(STEP_TIMEOUT_MS, async () => {
      for (const port of ports) {
        const [found] = await queryNode(
          { host: '127.0.0.1', port },
          [['SENTINEL', 'MASTER', MASTER]],
          {
            login: { password: SENTINEL_PASSWORD },
            tls,
            timeoutMs: COMMAND_TIMEOUT_MS,
          },
        );
        const fields = found as string[];
        const valueOf = (name: string) => Number(fields[fields.indexOf(name) + 1]);
        if (valueOf('num-slaves') < 1 || valueOf('num-other-sentinels') < SENTINELS - 1) {
          throw new Error('the sentinels have not found each other and the replica');
        }
      }
    });
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
    const query = new URLSearchParams({ sentinel_password: SENTINEL_PASSWORD });
    if (tls !== null) query.set('ca', certificatePath('authority.pem'));
    const scheme = tls === null ? 'redis' : 'rediss';
    const url = `${scheme}+sentinel://:${PASSWORD}@${hosts}/${MASTER}?${query.toString()}`;
    return createRedisGroup(url, servers, close);
  } catch (error) {
    await close();
    throw error;
  }
}
