import { Socket, connect as connectPlain } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { AbstractConnector } from 'ioredis';
import type { MasterFinder } from './find-master.ts';
import type { RedisAddress, RedisTarget } from './parse-redis-url.ts';
import { explainRefusedCertificate } from './refused-certificate.ts';

export interface MasterConnectorOptions extends Pick<RedisTarget, 'kind' | 'tls'> {
  finder: MasterFinder;
  timeoutMs: number;
  /** How often a connection asks whether its master still is one, give or take half. */
  lookEveryMs: number;
}

/**
 * How ioredis connects: each time to the master of that moment. So a client is one connection to
 * one server whatever stands behind the URL, and what holds for a single Redis that comes and goes
 * holds for a failover. (ioredis' own client for a cluster keeps a connection to each node and
 * loses itself when they go: https://github.com/taskforcesh/bullmq/issues/4138. All our keys are on
 * one master in any case.)
 *
 * It never rejects: a client whose connector does is dead for ever. What fails becomes a connection
 * that has failed, which is tried again.
 */
export function createMasterConnector(
  options: MasterConnectorOptions,
): new () => AbstractConnector {
  const { kind, tls, finder, timeoutMs, lookEveryMs } = options;

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
      // Let go in the meantime: ioredis then wants to see the connection end.
      if (!this.connecting) return new Socket().destroy();
      const stream = tls === null ? connectPlain(address) : connectSecurely({ ...address, ...tls });
      delete this.firstError;
      // Before ioredis hears of it.
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

    /** Asked with what INFO says, once connected. */
    override check(info: { role?: string }): boolean {
      const isMaster = kind === 'single' || info.role === undefined || info.role === 'master';
      if (!isMaster) finder.distrust();
      return isMaster;
    }
  };

  /** A master that was replaced while it could not be reached by the others may go on as before. */
  function watch(stream: Socket, address: RedisAddress): void {
    let timer: NodeJS.Timeout;
    const look = async () => {
      // Nobody who knows can be reached: then there is no news.
      const found = await finder.find().catch(() => address);
      if (stream.destroyed) return;
      if (found.host === address.host && found.port === address.port) lookLater();
      else stream.destroy(new Error(`the master is ${found.host}:${found.port} now`));
    };
    function lookLater(): void {
      timer = setTimeout(() => void look(), lookEveryMs * (0.5 + Math.random())).unref();
    }
    stream.once('close', () => clearTimeout(timer));
    lookLater();
  }
}
