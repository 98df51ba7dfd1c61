import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { handleErrors } from './handle-errors.ts';
import { createSendTable } from './send-table.ts';

/** Larger than two sockets and the streams between them can buffer. */
const PARTS = 2_000;
const PART = 'a'.repeat(64 * 1024);
const WAIT = { timeout: 60_000 };

let app: FastifyInstance;

afterEach(() => app.close());

interface Source {
  /** Delays each part. */
  pause?: Promise<void>;
  /** The CPU time of a part. */
  busyMs?: number;
}

/** Serves a table for each workspace. */
async function serve(options = {}, { pause, busyMs = 0 }: Source = {}) {
  const exported = { partsRead: 0, isEnded: false };
  async function* parts(): AsyncGenerator<string, void, undefined> {
    try {
      for (; exported.partsRead < PARTS; exported.partsRead += 1) {
        const endsAt = performance.now() + busyMs;
        while (performance.now() < endsAt);
        yield PART;
        await pause;
      }
    } finally {
      exported.isEnded = true;
    }
  }
  const sendTable = createSendTable(options);
  app = fastify();
  handleErrors(app);
  app.get('/:workspaceId', (request, reply) => {
    const { workspaceId } = request.params as { workspaceId: string };
    return reply.send(sendTable(reply, { workspaceId, fileName: 'table.csv', parts: parts() }));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  async function open(workspaceId: string): Promise<IncomingMessage> {
    const [response] = await once(get(`${url}/${workspaceId}`, { agent: false }), 'response');
    return response as IncomingMessage;
  }
  return { open, exported };
}

test('a client receives the whole table', async () => {
  const { open, exported } = await serve();
  const response = await open('one');
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['content-disposition']).toBe('attachment; filename="table.csv"');
  expect((await buffer(response)).length).toBe(PARTS * PART.length);
  await vi.waitUntil(() => exported.isEnded, WAIT);
});

test('an export reads a part only after the client has read the previous parts', async () => {
  const { open, exported } = await serve();
  const response = await open('one');
  await once(response, 'readable');
  // The buffers are full when a whole second adds no part.
  let before;
  do {
    before = exported.partsRead;
    await delay(1_000);
  } while (exported.partsRead > before);
  expect(exported.partsRead).toBeLessThan(PARTS / 2);
  response.destroy();
});

test('exports leave more than a third of the event loop to other requests', async () => {
  const { open, exported } = await serve({}, { busyMs: 5 });
  const running = await Promise.all(Array.from({ length: 5 }, (_, n) => open(`workspace ${n}`)));
  for (const response of running) response.resume();
  const before = performance.eventLoopUtilization();
  const partsBefore = exported.partsRead;
  await vi.waitUntil(() => exported.partsRead > partsBefore + 100, WAIT);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.66);
  for (const response of running) response.destroy();
});

test('an export stops reading when its client disconnects', async () => {
  const { open, exported } = await serve();
  const response = await open('one');
  await once(response, 'readable');
  response.destroy();
  await vi.waitUntil(() => exported.isEnded, WAIT);
  expect(exported.partsRead).toBeLessThan(PARTS);
});

test('a client that stops reading is disconnected, and the export ends', async () => {
  const { open, exported } = await serve({ readerTimeoutMs: 500 });
  const response = await open('one');
  await vi.waitUntil(() => exported.isEnded, WAIT);
  expect(exported.partsRead).toBeLessThan(PARTS);
  const length = await buffer(response).then(
    (table) => table.length,
    (error: unknown) => (error as Error).message,
  );
  expect(length).toBe('aborted');
});

test('an export beyond the quota of its workspace is refused until another one ends', async () => {
  let resume = (): void => undefined;
  const { open } = await serve({}, { pause: new Promise((resolve) => (resume = resolve)) });
  const running = await Promise.all(Array.from({ length: 5 }, () => open('one')));
  expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const refused = await open('one');
  expect(refused.statusCode).toBe(403);
  expect(JSON.parse((await buffer(refused)).toString())).toEqual({
    error: 'quota_exceeded',
    detail: 'The quota of 5 concurrent exports per workspace has been reached',
  });
  const other = await open('two');
  expect(other.statusCode).toBe(200);

  // The query of a client that is gone still counts.
  running[0]?.destroy();
  expect((await open('one')).statusCode).toBe(403);
  resume();
  await vi.waitFor(async () => {
    const next = await open('one');
    next.destroy();
    expect(next.statusCode).toBe(200);
  }, WAIT);
  for (const response of [...running, other]) response.destroy();
});
