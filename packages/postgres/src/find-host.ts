import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { PostgresHost, PostgresTarget } from './parse-postgres-url.ts';
import { type ProbedHost, ROLE_NAMES, probeHost } from './probe-host.ts';

/** Finds the host that a connection is for: the primary, say, which another becomes in a failover. */
export interface HostFinder {
  /** Rejects within `timeoutMs` when no host is what the URL asks for. */
  find(timeoutMs: number): Promise<PostgresHost>;
  /** A connection to this host failed: the next `find` asks all hosts again. */
  distrust(host: PostgresHost): void;
  /** Cuts the connection when its host is no longer what the URL asks for, and another is. */
  watch(client: pg.Client, host: PostgresHost): void;
}

const LOOK_EVERY_MS = 5_000;
const LOOK_TIMEOUT_MS = 2_000;
/** How long the other hosts may take once the first has answered. */
const OTHERS_MS = 250;

export function createHostFinder(target: PostgresTarget): HostFinder {
  const { connectionString, hosts, session } = target;
  const watched = new Map<pg.Client, PostgresHost>();
  let known: PostgresHost | null = null;
  let finding: Promise<PostgresHost> | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** The hosts that are what the URL asks for, the best first; rejects when none is. */
  async function survey(timeoutMs: number): Promise<[ProbedHost, ...ProbedHost[]]> {
    const found: ProbedHost[] = [];
    const probes = hosts.map(async (host) => {
      found.push(await probeHost(connectionString, host, session, timeoutMs));
    });
    try {
      await Promise.any(probes);
    } catch (error) {
      const failures = (error as AggregateError).errors.map((one) => (one as Error).message);
      const detail = failures.join('; ');
      throw new Error(`no host is ${ROLE_NAMES[session]} (${detail})`, { cause: error });
    }
    await Promise.race([Promise.allSettled(probes), pause(OTHERS_MS)]);
    // An old primary that was cut off, or stopped, calls itself the primary until it is fenced.
    return found.toSorted((a, b) => b.timeline - a.timeline) as [ProbedHost, ...ProbedHost[]];
  }

  async function findAmong(timeoutMs: number): Promise<PostgresHost> {
    try {
      [known] = await survey(timeoutMs);
      return known;
    } finally {
      finding = null;
    }
  }

  async function look(): Promise<void> {
    // When no host can be asked there is no news.
    const found = await survey(LOOK_TIMEOUT_MS).catch(() => null);
    if (found !== null) {
      const right = session === 'standby' || session === 'any' ? found : found.slice(0, 1);
      const isRight = (host: PostgresHost) =>
        right.some((one) => one.host === host.host && one.port === host.port);
      if (known !== null && !isRight(known)) known = found[0];
      for (const [client, host] of watched) {
        if (isRight(host)) continue;
        const [{ host: name, port }] = found;
        const reason = `${ROLE_NAMES[session]} is ${name}:${port} now`;
        client.connection.stream.destroy(new Error(reason));
      }
    }
    lookLater();
  }

  function lookLater(): void {
    timer =
      watched.size === 0
        ? undefined
        : setTimeout(() => void look(), LOOK_EVERY_MS * (0.5 + Math.random())).unref();
  }

  return {
    find(timeoutMs) {
      if (known !== null) return Promise.resolve(known);
      // Many connections are opened at once, and each host is asked once for all of them.
      finding ??= findAmong(timeoutMs);
      return finding;
    },
    distrust(host) {
      if (known?.host === host.host && known.port === host.port) known = null;
    },
    watch(client, host) {
      watched.set(client, host);
      client.once('end', () => {
        watched.delete(client);
        if (watched.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      });
      if (timer === undefined) lookLater();
    },
  };
}
