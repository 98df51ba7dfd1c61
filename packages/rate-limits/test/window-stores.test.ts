import { randomUUID } from 'node:crypto';
import { createRedis } from '@switchboard/redis';
import { EVENTUALLY, createTestDatabase, createTestRedis } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCountInMemory } from '../src/memory/count-in-memory.ts';
import { createCountInPostgres, deleteEndedWindows } from '../src/postgres/count-in-postgres.ts';
import { createCountInRedis } from '../src/redis/count-in-redis.ts';
import type { WindowStore } from '../src/window-store.ts';

const MINUTE = { windowMs: 60_000, limit: 10 };
const HOUR_MS = 3_600_000;

interface Environment {
  store: WindowStore;
  close(): Promise<void>;
}

async function openPostgres(): Promise<Environment & { pool: pg.Pool }> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  return {
    pool,
    store: createCountInPostgres(pool, 'limit'),
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

async function openRedis(): Promise<Environment> {
  const { url, prefix, close } = await createTestRedis();
  const redis = createRedis({ url, timeoutMs: 5_000 });
  return {
    store: createCountInRedis(redis, prefix),
    async close() {
      redis.disconnect();
      await close();
    },
  };
}

async function openMemory(): Promise<Environment> {
  const store = createCountInMemory({ monotonic: () => performance.now() });
  return { store, close: async () => undefined };
}

describe.each([
  ['PostgreSQL', openPostgres],
  ['Redis', openRedis],
  ['memory', openMemory],
])('windows in %s', (_name, open) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await open();
  });
  afterAll(() => environment.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const countFor = (client: string, requests: number, group: string | null = null) =>
    environment.store.count([{ client, requests, group }], MINUTE);

  test('a window is the same for processes whose clocks are four hours apart', async () => {
    const client = randomUUID();
    const counted: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const skewMs = n % 2 === 0 ? 2 * HOUR_MS : -2 * HOUR_MS;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs });
      const window = (await countFor(client, 1)).get(client);
      vi.useRealTimers();
      counted.push(window?.counted ?? 0);
      expect(window?.msLeft).toBeGreaterThan(0);
      expect(window?.msLeft).toBeLessThanOrEqual(MINUTE.windowMs);
    }
    expect(counted).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('a window ends after its duration, and the next request starts a new one', async () => {
    const client = randomUUID();
    const count = async () => {
      const windows = await environment.store.count([{ client, requests: 1, group: null }], {
        windowMs: 50,
        limit: 10,
      });
      return windows.get(client)?.counted;
    };
    await count();
    await vi.waitFor(async () => expect(await count()).toBe(1), { ...EVENTUALLY, interval: 60 });
  });

  test('a request beyond the limit of its client does not count toward the group', async () => {
    const [first, second, group] = [randomUUID(), randomUUID(), randomUUID()];
    await countFor(first, 7, group);
    const windows = await environment.store.count(
      [
        { client: first, requests: 8, group },
        { client: second, requests: 2, group },
        { client: randomUUID(), requests: 5, group: null },
      ],
      MINUTE,
    );
    const counts = [first, second, group].map((name) => windows.get(name)?.counted);
    expect(counts).toEqual([15, 2, 12]);
    expect((await countFor(first, 4, group)).get(group)?.counted).toBe(12);
  });

  test('removing a request never makes the count of a window negative', async () => {
    const client = randomUUID();
    await environment.store.removeCount(client);
    await countFor(client, 2);
    for (let n = 0; n < 3; n += 1) await environment.store.removeCount(client);
    expect((await countFor(client, 1)).get(client)?.counted).toBe(1);
  });

  test('batches that count the same clients in different orders don’t block each other', async () => {
    const names = Array.from({ length: 40 }, () => randomUUID());
    const group = randomUUID();
    const count = (order: readonly string[]) =>
      environment.store.count(
        order.map((client) => ({ client, requests: 1, group })),
        MINUTE,
      );
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => count(n % 2 === 0 ? names : names.toReversed())),
    );
    const windows = await count(names);
    expect(names.map((name) => windows.get(name)?.counted)).toEqual(names.map(() => 21));
    expect(windows.get(group)?.counted).toBe(10 * names.length);
  });
});

describe('windows in PostgreSQL after its clock was set back', () => {
  test('windows that PostgreSQL started while its clock was an hour fast end no later than windows that start now, and are deleted', async () => {
    const { store, pool, close } = await openPostgres();
    try {
      const client = randomUUID();
      const count = () => store.count([{ client, requests: 20, group: null }], MINUTE);
      await count();
      await pool.query('UPDATE rate_limits SET expire = expire + $1', [HOUR_MS]);
      const window = (await count()).get(client);
      expect(window?.counted).toBe(40);
      expect(window?.msLeft).toBeLessThanOrEqual(MINUTE.windowMs);

      const countRows = async () => (await pool.query('SELECT 1 FROM rate_limits')).rowCount;
      await deleteEndedWindows(pool);
      expect(await countRows()).toBe(1);
      await pool.query('UPDATE rate_limits SET expire = expire - 60000');
      await deleteEndedWindows(pool);
      expect(await countRows()).toBe(0);
    } finally {
      await close();
    }
  });
});

test('PostgreSQL parses the statement that counts once for each connection', async () => {
  const { store, pool, close } = await openPostgres();
  try {
    for (const client of ['first', 'second']) {
      await store.count([{ client, requests: 1, group: null }], MINUTE);
    }
    const { rows } = await pool.query<{ runs: number }>(
      'SELECT (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements',
    );
    expect(rows).toEqual([{ runs: 2 }]);
  } finally {
    await close();
  }
});
