import { createRedis, toKeyPrefix } from '@switchboard/redis';
import {
  type ChildProcess,
  EVENTUALLY,
  sendEach,
  startRedis,
  startRedisCluster,
  startRedisSentinels,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Service, ask, startService } from './start-service.ts';

// These tests run the API, a worker and the simulator on each kind of Redis that REDIS_URL
// supports.

interface Redis {
  url: string;
  close(): Promise<void>;
}

describe.each<[string, () => Promise<Redis>]>([
  ['over TLS', () => startRedis({ certificate: 'server' })],
  ['behind sentinels', () => startRedisSentinels()],
  ['in a cluster', () => startRedisCluster()],
])('on Redis %s', (_name, startOne) => {
  let redis: Redis;
  let simulator: ChildProcess;
  let service: Service;
  let worker: ChildProcess;

  beforeAll(async () => {
    redis = await startOne();
    simulator = await startSimulator();
    // Sweeps and polls are so slow here that only the queue and the bus can deliver in time.
    const env = { REDIS_URL: redis.url, TWILIO_API_URL: simulator.url, SWEEP_MS: '60000' };
    service = await startService({ env });
    worker = await startWorker({
      ...env,
      DATABASE_URL: service.database.url,
      PUBLIC_URL: service.url,
      METRICS_PORT: '0',
    });
  });
  afterAll(async () => {
    await worker.stop();
    await service.close();
    await simulator.stop();
    await redis.close();
  });

  test('on each kind of Redis, messages go through the queue, events through the bus, and requests count toward the rate limits', async () => {
    for (const { url } of [...service.apis, worker]) {
      const isReady = async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      await vi.waitFor(isReady, EVENTUALLY);
    }
    const { apiKey } = await service.addWorkspace();
    const bodies = Array.from({ length: 40 }, (_, n) => `Number ${n}`);
    const responses = await sendEach(
      bodies,
      (body) =>
        ask(service.url, '/api/messages', { token: apiKey, json: { to: '+15558670001', body } }),
      { status: 201 },
    );
    const remaining = responses.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(Math.min(...remaining)).toBe(60);
    const client = createRedis({ url: redis.url, timeoutMs: 20_000 });
    try {
      const windows = await client.keys(`${toKeyPrefix(redis.url, 'limit:messaging')}:*`);
      expect(windows).toHaveLength(1);
    } finally {
      client.disconnect();
    }
    const readSent = async () => {
      const { text } = await ask(simulator.url, '/simulator/ledger');
      const lines = text.trim().split('\n').filter(Boolean);
      return lines.map((line) => (JSON.parse(line) as { body: string }).body).toSorted();
    };
    await expect.poll(readSent, { ...EVENTUALLY, timeout: 50_000 }).toEqual(bodies.toSorted());
    const waited = await ask(service.url, '/api/messages', {
      token: apiKey,
      headers: { prefer: 'wait=20' },
      json: { to: '+15558670001', body: 'The response waits for the event' },
    });
    expect([waited.status, waited.json?.['sid']]).toEqual([201, expect.stringMatching(/^SM/)]);
    const logs = [...service.apis, worker].flatMap((process) => process.logs);
    // A busy machine may cause timeouts, but any other background error is a bug.
    const errors = logs.filter((line) => line.includes('background error'));
    expect(errors.filter((line) => !line.includes('no response within'))).toEqual([]);
  });
});
