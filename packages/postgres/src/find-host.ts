import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { PostgresHost, PostgresTarget } from './parse-postgres-url.ts';
import { type ProbedHost, ROLE_NAMES, probeHost } from './probe-host.ts';

/** Finds the host for a connection, for example the primary, which changes in a failover. */
export interface HostFinder {
  /** Rejects within `timeoutMs` if no host has the role that the URL requires. */
  find(timeoutMs: number): Promise<PostgresHost>;
  /** Reports that a connection to this host failed. The next `find` probes all hosts again. */
  distrust(host: PostgresHost): void;
  /** Closes the connection when another host has the required role and its own host has lost it. */
  watch(client: pg.Client, host: PostgresHost): void;
}

const CHECK_EVERY_MS = 5_000;
const CHECK_TIMEOUT_MS = 2_000;
/** How long the other hosts may take after the first has responded. */
const OTHERS_MS = 250;

export function createHostFinder(target: PostgresTarget): HostFinder {
  const { connectionString, hosts, session } = target;
  const watched = new Map<pg.Client, PostgresHost>();
  let known: PostgresHost | null = null;
  let finding: Promise<PostgresHost> | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** Returns the hosts with the required role, the best first. Rejects if there is none. */
  async function probeHosts(timeoutMs: number): Promise<[ProbedHost, ...ProbedHost[]]> {
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
    await Promise.race([Promise.allSettled(probes), delay(OTHERS_MS)]);
    // An old primary that was isolated or paused reports itself as the primary until it is stopped.
    return found.toSorted((a, b) => b.timeline - a.timeline) as [ProbedHost, ...ProbedHost[]];
  }

  async function findAmong(timeoutMs: number): Promise<PostgresHost> {
    try {
      [known] = await probeHosts(timeoutMs);
      return known;
    } finally {
      finding = null;
    }
  }

  async function checkHosts(): Promise<void> {
    // If no host responds, the connections stay open.
    const found = await probeHosts(CHECK_TIMEOUT_MS).catch(() => null);
    if (found !== null) {
      const suitable = session === 'standby' || session === 'any' ? found : found.slice(0, 1);
      const isSuitable = (host: PostgresHost) =>
        suitable.some((one) => one.host === host.host && one.port === host.port);
      if (known !== null && !isSuitable(known)) known = found[0];
      for (const [client, host] of watched) {
        if (isSuitable(host)) continue;
        const [{ host: name, port }] = found;
        const reason = `${ROLE_NAMES[session]} is ${name}:${port} now`;
        client.connection.stream.destroy(new Error(reason));
      }
    }
    scheduleCheck();
  }

  function scheduleCheck(): void {
    timer =
      watched.size === 0
        ? undefined
        : setTimeout(() => void checkHosts(), CHECK_EVERY_MS * (0.5 + Math.random())).unref();
  }

  return {
    find(timeoutMs) {
      if (known !== null) return Promise.resolve(known);
      // Connections that are opened at the same time share one probe of each host.
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
      if (timer === undefined) scheduleCheck();
    },
  };
}
