import { describe, expect, onTestFinished, test } from 'vitest';
import {
  EVENTUALLY,
  type ChildProcess,
  type RedisServer,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startRedis,
} from '@switchboard/testing';
import { createRedis } from '@switchboard/redis';
import { LIMITS, listBodies, sendTo, startLoad, timed } from './start-load.ts';
import { ask } from './start-service.ts';

async function startOnOwnRedis(
  env: Record<string, string> = {},
  options: { redisAtBoot?: boolean } = {},
): Promise<{
  redis: RedisServer;
  api: ChildProcess;
  workspace: WorkspaceFixture;
  databaseUrl: string;
}> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const workspace = await createWorkspaceFixture(database.url);
  if (options.redisAtBoot === false) await redis.stop();
  const api = await startApi({
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    ...LIMITS,
    ...env,
  });
  onTestFinished(() => api.stop());
  return { redis, api, workspace, databaseUrl: database.url };
}

/** How long the API waits for a Redis that does not respond. */
const REDIS_TIMEOUT_MS = 2_000;

const readyDetail = async (url: string) => {
  const { status, json } = await ask(url, '/health/ready');
  return [status, json?.['detail'] ?? 'ok'];
};

/** Sends messages one after another. Returns the durations, the shortest first. */
async function measure(
  url: string,
  workspace: WorkspaceFixture,
  name: string,
  count = 20,
): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { result, ms } = await timed(sendTo(url, workspace, `${name} ${n}`));
    expect(result.status).toBe(201);
    times.push(ms);
  }
  return times.toSorted((a, b) => a - b);
}

/**
 * Sends messages while Redis does not respond, and expects that at most one of them waits for it.
 * Others may take as long on a busy machine, so a second round may replace the first. Returns the
 * number of messages.
 */
async function expectOneWait(
  url: string,
  workspace: WorkspaceFixture,
  name: string,
): Promise<number> {
  const first = await measure(url, workspace, name);
  if ((first.at(-2) ?? Infinity) < REDIS_TIMEOUT_MS) return first.length;
  const second = await measure(url, workspace, `${name} again`);
  expect(second.at(-2)).toBeLessThan(REDIS_TIMEOUT_MS);
  return first.length + second.length;
}

describe('Redis outages', () => {
  test('without Redis at boot, the API starts, is ready, accepts messages and connects later', async () => {
    const { redis, api, workspace } = await startOnOwnRedis({}, { redisAtBoot: false });
    await expectOneWait(api.url, workspace, 'absent');
    expect(await readyDetail(api.url)).toEqual([200, 'ok']);
    await redis.start();
    const client = createRedis({ url: redis.url, timeoutMs: 20_000 });
    onTestFinished(() => client.disconnect());
    let sent = 0;
    const countKeys = async () => {
      await measure(api.url, workspace, `there ${(sent += 1)}`, 1);
      return client.dbsize();
    };
    await expect.poll(countKeys, { ...EVENTUALLY, interval: 200 }).toBeGreaterThan(0);
  });

  test('while Redis hangs, at most one request waits for it, the API stays ready, and all messages are stored', async () => {
    const { redis, api, workspace, databaseUrl } = await startOnOwnRedis();
    await measure(api.url, workspace, 'warm', 5);
    redis.pause();
    let sent: number;
    try {
      sent = await expectOneWait(api.url, workspace, 'hung');
      expect(await readyDetail(api.url)).toEqual([200, 'ok']);
    } finally {
      redis.resume();
    }
    expect(await listBodies(databaseUrl)).toHaveLength(5 + sent);
  });

  test('when Redis is killed under load, every request is accepted in bounded time', async () => {
    const { redis, api, workspace, databaseUrl } = await startOnOwnRedis();
    let slowestMs = 0;
    const load = startLoad(4, async (body) => {
      const { result, ms } = await timed(sendTo(api.url, workspace, body));
      slowestMs = Math.max(slowestMs, ms);
      return result;
    });
    const sentMore = (count: number) => {
      const goal = load.responses.size + count;
      return expect.poll(() => load.responses.size, EVENTUALLY).toBeGreaterThan(goal);
    };
    await sentMore(50);
    await redis.kill();
    await sentMore(100);
    await redis.start();
    await sentMore(50);
    await load.stop();
    expect(new Set([...load.responses.values()].map(({ status }) => status))).toEqual(
      new Set([201]),
    );
    expect(slowestMs).toBeLessThan(20_000);
    expect((await listBodies(databaseUrl)).toSorted()).toEqual(
      [...load.responses.keys()].toSorted(),
    );
  });

  test('an API process enforces the rate limit on its own without Redis, and shares the limit again after it reconnects', async () => {
    const { redis, api, workspace } = await startOnOwnRedis({ RATE_LIMIT_MESSAGING: '10' });
    const call = () => ask(api.url, '/api/workspace', { token: workspace.apiKey });
    const countAccepted = async () => {
      const responses = await Promise.all(Array.from({ length: 15 }, call));
      for (const { headers } of responses) expect(headers.get('x-ratelimit-limit')).toBe('10');
      return responses.filter(({ status }) => status === 200).length;
    };
    await redis.stop();
    expect(await countAccepted()).toBe(10);
    expect(await countAccepted()).toBe(0);
    await redis.start();
    // The shared window starts empty. Until the process reconnects, its own window refuses requests.
    await expect
      .poll(async () => (await call()).status, { ...EVENTUALLY, interval: 200 })
      .toBe(200);
    expect(await countAccepted()).toBe(9);
  });
});
