import { queryNode, createMasterFinder, parseRedisUrl } from '@switchboard/redis';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from './start-redis.ts';

/** Several servers; one takes over when the master of our keys fails. */
export interface RedisGroup {
  url: string;
  /** Kills the master; resolves when another server has become the master. */
  failOver(): Promise<void>;
  /** Restarts the killed servers. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** How long a command that succeeds may take on a busy machine, and a whole step of a group. */
export const COMMAND_TIMEOUT_MS = 20_000;
export const STEP_TIMEOUT_MS = 60_000;
/** A command that is repeated, because the server that it is sent to may be gone. */
const REPEATED_TIMEOUT_MS = 2_000;

export function createRedisGroup(
  url: string,
  servers: readonly RedisServer[],
  close: () => Promise<void>,
): RedisGroup {
  const target = parseRedisUrl(url);
  const killed: RedisServer[] = [];

  /** Returns the port of the server that is registered as the master and reports that role. */
  async function findMaster(): Promise<number> {
    const address = await createMasterFinder(target, REPEATED_TIMEOUT_MS).find();
    const { login, tls } = target;
    const timeoutMs = REPEATED_TIMEOUT_MS;
    const [role] = await queryNode(address, [['ROLE']], { login, tls, timeoutMs });
    if (!Array.isArray(role) || role[0] !== 'master') throw new Error('the server is not a master');
    return address.port;
  }

  return {
    url,
    async failOver() {
      const before = await retry(STEP_TIMEOUT_MS, findMaster);
      const master = servers.find(({ port }) => port === before);
      if (master === undefined) throw new Error(`no server of the group has port ${before}`);
      await master.kill();
      killed.push(master);
      await retry(STEP_TIMEOUT_MS, async () => {
        if ((await findMaster()) === before) throw new Error('no replica has taken over');
      });
    },
    async restart() {
      for (const server of killed.splice(0)) await server.start();
    },
    close,
  };
}

/** Repeats an operation until it succeeds; throws the last error after the timeout. */
export async function retry<T>(timeoutMs: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}
