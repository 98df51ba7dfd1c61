import { Socket, connect as connectPlain } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { AbstractConnector } from 'ioredis';
import type { MasterFinder } from './find-master.ts';
import type { RedisAddress, RedisTarget } from './parse-redis-url.ts';
import { explainRefusedCertificate } from './refused-certificate.ts';

export interface MasterConnectorOptions extends Pick<RedisTarget, 'kind' | 'tls'> {
  finder: MasterFinder;
  timeoutMs: number;
  /** How often a connection checks whether its server is still the master, plus or minus half. */
  checkEveryMs: number;
}

/**
 * Creates ioredis' connector, which connects to the current master each time. So a client is one
 * connection to one server, whatever the URL names, and a failover looks like a single Redis that
 * restarts. (ioredis' own cluster client keeps a connection to each node and does not recover when
 * they are replaced: https://github.com/taskforcesh/bullmq/issues/4138. All our keys are on one master anyway.)
 *
 * It never rejects, because a client whose connector rejects never connects again. A failure becomes
 * a failed connection, which ioredis retries.
 */
export function createMasterConnector(
  options: MasterConnectorOptions,
): new () => AbstractConnector {
  const { kind, tls, finder, timeoutMs, checkEveryMs } = options;

  return class MasterConnector extends AbstractConnector {
    constructor() {
      super(timeoutMs);
    }

    override async connect(): Promise<Socket> {
      this.connecting = true;
      this.stream = await this.#open();
      return this.stream;
    }

    async #open(): Promise<Socket> {
      let address: RedisAddress;
      try {
        address = await finder.find();
      } catch (error) {
        return this.#fail(error as Error);
      }
      // Disconnected in the meantime: ioredis then waits for the connection to end.
      if (!this.connecting) return new Socket().destroy();
      const stream = tls === null ? connectPlain(address) : connectSecurely({ ...address, ...tls });
      delete this.firstError;
      // Registered before ioredis' own listener.
      stream.once('error', (error: Error) => {
        finder.distrust();
        const { message } = explainRefusedCertificate(error, address);
        this.firstError = Object.assign(error, { message });
      });
      if (kind !== 'single') watch(stream, address);
      return stream;
    }

    #fail(error: Error): Socket {
      this.firstError = error;
      return new Socket().destroy();
    }

    /** Called with the fields of INFO, once connected. */
    override check(info: { role?: string }): boolean {
      const isMaster = kind === 'single' || info.role === undefined || info.role === 'master';
      if (!isMaster) finder.distrust();
      return isMaster;
    }
  };

  /** Closes the connection when the master is replaced. An isolated master may continue to respond. */
  function watch(stream: Socket, address: RedisAddress): void {
    let timer: NodeJS.Timeout;
    const check = async () => {
      // When no node answers, the master is assumed to be the same.
      const found = await finder.find().catch(() => address);
      if (stream.destroyed) return;
      if (found.host === address.host && found.port === address.port) checkLater();
      else stream.destroy(new Error(`the master is ${found.host}:${found.port} now`));
    };
    function checkLater(): void {
      timer = setTimeout(() => void check(), checkEveryMs * (0.5 + Math.random())).unref();
    }
    stream.once('close', () => clearTimeout(timer));
    checkLater();
  }
}
