import { once } from 'node:events';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Server, type Socket, connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * A TCP relay with its own address, which acts as a load balancer or a network between two sides.
 */
export interface Relay {
  url: string;
  /** Sends new connections to the first of these ports that accepts. */
  route(ports: readonly number[]): void;
  /** Stops forwarding on the open connections without closing them, and relays new ones. */
  freeze(): void;
  /** Refuses new connections and cuts open ones. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Delays each following response. */
  setDelay(delayMs: number): void;
  close(): Promise<void>;
}

/** New connections are not delayed, because a client that cannot connect is a different fault. */
const UNDELAYED_MS = 1_000;

export async function startRelay(ports: readonly number[] = []): Promise<Relay> {
  let targets = ports;
  let delayMs = 0;
  const open = new Set<Socket>();
  let server: Server | null = await listen(0);
  const { port } = server.address() as AddressInfo;

  async function listen(at: number): Promise<Server> {
    const next = createServer({ allowHalfOpen: true }, (client) => void relay(client));
    next.listen(at, '127.0.0.1');
    await once(next, 'listening');
    return next;
  }

  function keep(socket: Socket): void {
    open.add(socket);
    // 'close' follows and cuts the other side.
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  }

  function delayResponses(): Transform {
    const openedAt = performance.now();
    let sent = Promise.resolve();
    return new Transform({
      transform(chunk: Buffer, _encoding, taken) {
        const now = performance.now();
        const dueAt = now + (now - openedAt < UNDELAYED_MS ? 0 : delayMs);
        sent = sent.then(async () => {
          if (dueAt > performance.now()) await delay(dueAt - performance.now());
          this.push(chunk);
        });
        taken();
      },
      flush: (ended) => void sent.then(() => ended()),
    });
  }

  async function relay(client: Socket): Promise<void> {
    keep(client);
    const first = Math.floor(Math.random() * targets.length);
    for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
      const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
      keep(upstream);
      const isConnected = await once(upstream, 'connect').then(
        () => true,
        () => false,
      );
      if (!isConnected) continue;
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      client.pipe(upstream).pipe(delayResponses()).pipe(client);
      return;
    }
    client.resetAndDestroy();
  }

  async function refuse(): Promise<void> {
    const stopping = server;
    if (stopping === null) return;
    server = null;
    stopping.close();
    for (const socket of open) socket.resetAndDestroy();
    await once(stopping, 'close');
  }

  return {
    url: `http://127.0.0.1:${port}`,
    route(next) {
      targets = next;
    },
    freeze() {
      for (const socket of open) socket.unpipe().pause();
    },
    refuse,
    async accept() {
      server ??= await listen(port);
    },
    setDelay(ms) {
      delayMs = ms;
    },
    close: refuse,
  };
}
