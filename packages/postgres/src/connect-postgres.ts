import { callbackify } from 'node:util';
import pg from 'pg';
import { type HostFinder, createHostFinder } from './find-host.ts';
import { type PostgresTarget, parsePostgresUrl } from './parse-postgres-url.ts';
import { readTimeline } from './probe-host.ts';
import { createSessionClass } from './session-client.ts';

/** The share of a connection's timeout for finding its host. The rest is for the connection itself. */
const FIND_TIMEOUT_SHARE = 0.5;
const FIND_TIMEOUT_MS = 5_000;

/** By URL, so that all connections of a process share one search for the server. */
const finders = new Map<string, HostFinder>();

type Options = Omit<pg.ClientConfig, 'connectionString' | 'host' | 'port'>;

/** Creates a client for the server that `url` selects when `connect` is called. */
export function createPgClient(url: string, options: Options): pg.Client {
  const target = parsePostgresUrl(url);
  const Client = toClientClass(url, target);
  return new Client({ ...options, connectionString: target.connectionString });
}

/**
 * Creates a pool of clients like those of `createPgClient`. A new client searches for the server
 * again if the last one failed.
 */
export function createPgPool(
  url: string,
  options: Omit<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'Client'>,
): pg.Pool {
  const target = parsePostgresUrl(url);
  return new pg.Pool({
    ...options,
    connectionString: target.connectionString,
    Client: toClientClass(url, target),
  });
}

function toClientClass(url: string, target: PostgresTarget): typeof pg.Client {
  const Base = createSessionClass(target);
  if (target.hosts.length === 0 || (target.hosts.length === 1 && target.session === 'any')) {
    return Base;
  }
  const finder = finders.get(url) ?? createHostFinder(target);
  finders.set(url, finder);

  return class HostFindingClient extends Base {
    readonly #findTimeoutMs: number;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const limitMs = typeof config === 'object' ? config.connectionTimeoutMillis : undefined;
      this.#findTimeoutMs = (limitMs || FIND_TIMEOUT_MS) * FIND_TIMEOUT_SHARE;
    }

    /** Supports both forms of pg's `connect`, because a pool passes a callback. */
    override connect(callback?: unknown): never {
      if (typeof callback !== 'function') return this.#connect() as never;
      callbackify(() => this.#connect())(callback as () => void);
      return undefined as never;
    }

    async #connect(): Promise<pg.Client> {
      const host = await finder.find(this.#findTimeoutMs);
      // A pool or an owner that has given up in the meantime has destroyed this stream.
      if (this.connection.stream.destroyed) throw new Error('timeout expired');
      Object.assign(this, host);
      // A pool adds its listener only after this. Without a listener, the event ends the process.
      this.on('error', () => undefined);
      try {
        await super.connect();
        await readTimeline(this, target.session);
        finder.watch(this, host);
        return this;
      } catch (error) {
        finder.distrust(host);
        this.connection.stream.destroy();
        throw error;
      }
    }
  };
}
