import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { type Random, createRandom } from '@switchboard/testing/random';
import { type Connection, FAULTS, openConnection } from './connection.ts';

/** What the network does now: it harms single connections, none, or all, which it then refuses or freezes. */
export type Weather = 'rough' | 'calm' | 'refusing' | 'frozen';

export interface BadNetwork {
  url: string;
  become(weather: Weather): void;
  weather(): Weather;
  /** The Unix milliseconds when bytes of the event stream last reached the browser. */
  deliveredAt(): number;
  /** How often each fault has happened. */
  counts(): Record<string, number>;
  close(): Promise<void>;
}

/** In rough weather, how long after its last fault a connection may suffer the next, and how likely it does. */
const HARM_AFTER_MS = [2_000, 20_000] as const;
const HARM_CHANCE = 0.6;
const MAX_DELAY_MS = 6_000;

/**
 * Starts a TCP proxy between a browser and an API that acts as a bad network: it resets, closes, freezes, delays and cuts in
 * half single connections, so that requests overtake each other, and now and then all of them.
 */
export async function startBadNetwork(target: string, seed: number): Promise<BadNetwork> {
  const open = new Map<Connection, Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const counts: Record<string, number> = {};
  let weather: Weather = 'calm';
  let deliveredAt = Date.now();
  let accepted = 0;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (weather === 'refusing') {
      count('refused');
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({
      port: Number(new URL(target).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    const connection = openConnection(client, upstream, ({ isEventStream }) => {
      if (isEventStream) deliveredAt = Date.now();
    });
    open.set(connection, client);
    client.on('close', () => open.delete(connection));
    if (weather === 'frozen') {
      count('frozen');
      connection.suffer('freeze', 0);
    }
    accepted += 1;
    // The seed decides what the n-th connection suffers.
    harmLater(connection, createRandom(seed, `connection ${accepted}`));
  });

  function harmLater(connection: Connection, random: Random): void {
    later(random.between(...HARM_AFTER_MS), () => {
      if (!open.has(connection)) return;
      const isStruck = random.chance(HARM_CHANCE);
      const fault = random.pick(FAULTS);
      const delayMs = random.between(100, MAX_DELAY_MS);
      if (isStruck && weather === 'rough') {
        count(connection.isEventStream ? `${fault} of the event stream` : fault);
        connection.suffer(fault, delayMs);
      }
      // A frozen connection stays as it is until the browser gives it up.
      if (!connection.isFrozen()) harmLater(connection, random);
    });
  }

  function later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  }

  function count(what: string): void {
    counts[what] = (counts[what] ?? 0) + 1;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    become(next) {
      count(`became ${next}`);
      if (weather === 'frozen') for (const connection of open.keys()) connection.thaw();
      weather = next;
      if (next === 'refusing') for (const client of open.values()) client.resetAndDestroy();
      if (next === 'frozen') for (const connection of open.keys()) connection.suffer('freeze', 0);
    },
    weather: () => weather,
    deliveredAt: () => deliveredAt,
    counts: () => counts,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      server.close();
      for (const client of open.values()) client.destroy();
      await once(server, 'close');
    },
  };
}
