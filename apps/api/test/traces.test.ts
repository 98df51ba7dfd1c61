import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EVENTUALLY,
  type ChildProcess,
  type RedisServer,
  type WorkspaceFixture,
  startApi,
  startRedis,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ask, type Service, startService } from './start-service.ts';
import { type ReceivedSpan, startTraceReceiver } from './start-trace-receiver.ts';

// These tests check the traces that a collector receives from the API, the worker and the
// simulator.

const THEIRS = '+15558674444';
const SERVER = 2;
const CLIENT = 3;
const PRODUCER = 4;
const CONSUMER = 5;
const INTERNAL = 1;

let redis: RedisServer;
let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
let simulator: ChildProcess;
let service: Service;
let workspace: WorkspaceFixture;
let env: Record<string, string>;

beforeAll(async () => {
  redis = await startRedis();
  receiver = await startTraceReceiver();
  simulator = await startSimulator();
  env = {
    REDIS_URL: redis.url,
    TWILIO_API_URL: simulator.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    PROVIDER_TIMEOUT_MS: '5000',
    LEASE_MS: '60000',
    UNKNOWN_LOOKUPS_MS: '300,600,7000',
    SWEEP_MS: '200',
    RATE_LIMIT_MESSAGING: '100000',
  };
  service = await startService({ env });
  env = { ...env, DATABASE_URL: service.database.url, PUBLIC_URL: service.url };
  workspace = await service.addWorkspace();
});
afterAll(async () => {
  await service.close();
  await simulator.stop();
  await receiver.close();
  await redis.close();
});

async function send(body: string, headers: Record<string, string> = {}): Promise<string> {
  const json = { to: THEIRS, body };
  const sent = await ask(service.url, '/api/messages', { token: workspace.apiKey, headers, json });
  expect(sent.status).toBe(201);
  return String(sent.json?.['id']);
}

async function until(messageId: string, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const path = `/api/messages/${messageId}`;
      const { json } = await ask(service.url, path, { token: workspace.apiKey });
      expect(json?.['status']).toBe(status);
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** Creates a trace of a caller with its `traceparent` header. */
function createTrace(): { traceId: string; spanId: string; traceparent: string } {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

/** Waits until the trace contains the named spans and returns all of its spans. */
async function collect(traceId: string, names: readonly string[]): Promise<ReceivedSpan[]> {
  const found = (): ReceivedSpan[] => receiver.spans.filter((span) => span.traceId === traceId);
  await vi.waitFor(
    () => expect(found().map(({ name }) => name)).toEqual(expect.arrayContaining([...names])),
    { timeout: 60_000 },
  );
  return found();
}

function find(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const span = spans.find((each) => each.name === name);
  if (span === undefined) throw new Error(`the trace has no span ${name}`);
  return span;
}

const SEND = 'POST /api/messages';
const CALLBACK = 'POST /api/webhooks/twilio/:workspaceId/status';

test('one trace follows a message from the caller to its last event, across the API, the queue and the worker', async () => {
  const worker = await startWorker(env);
  onTestFinished(() => worker.stop());
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/events`, {
    headers: { authorization: `Bearer ${workspace.apiKey}` },
  });
  await new Promise((resolve) => socket.once('message', resolve));
  const caller = createTrace();
  const id = await send('No trace contains this', { traceparent: caller.traceparent });
  await until(id, 'delivered');
  const parts = [SEND, 'accept message', 'queue hint', 'dispatch message', 'claim message'].concat(
    'call provider',
    'store result',
    CALLBACK,
    'send event',
  );
  const spans = await collect(caller.traceId, parts);

  const request = find(spans, SEND);
  const accept = find(spans, 'accept message');
  const dispatch = find(spans, 'dispatch message');
  const shape = parts
    .map((name) => find(spans, name))
    .map(({ name, service: of, kind, parentSpanId }) => [name, of, kind, parentSpanId]);
  expect(shape).toEqual([
    [SEND, 'switchboard-api', SERVER, caller.spanId],
    ['accept message', 'switchboard-api', INTERNAL, request.spanId],
    ['queue hint', 'switchboard-api', PRODUCER, accept.spanId],
    ['dispatch message', 'switchboard-worker', CONSUMER, accept.spanId],
    ['claim message', 'switchboard-worker', INTERNAL, dispatch.spanId],
    ['call provider', 'switchboard-worker', CLIENT, dispatch.spanId],
    ['store result', 'switchboard-worker', INTERNAL, dispatch.spanId],
    [CALLBACK, 'switchboard-api', SERVER, accept.spanId],
    ['send event', 'switchboard-api', PRODUCER, accept.spanId],
  ]);
  expect(accept.attributes['switchboard.message_id']).toBe(id);
  expect(find(spans, 'call provider').attributes).toMatchObject({
    'switchboard.outcome': 'accepted',
    'switchboard.provider_sid': expect.stringMatching(/^SM/) as string,
  });
  for (const span of spans) {
    expect(span.endedAt).toBeGreaterThanOrEqual(span.startedAt);
    expect(span.startedAt).toBeGreaterThanOrEqual(request.startedAt);
  }

  // The log lines of every process have the trace id.
  const linesOf = (child: ChildProcess | undefined): string[] =>
    child?.logs.filter((line) => line.includes(`"trace_id":"${caller.traceId}"`)) ?? [];
  await vi.waitFor(() => {
    expect(linesOf(service.apis[0]).some((line) => line.includes('request completed'))).toBe(true);
    expect(linesOf(worker).some((line) => line.includes('provider answered'))).toBe(true);
  }, EVENTUALLY);

  socket.terminate();
  const exported = receiver.requests.map(({ text }) => text).join('\n');
  for (const secret of ['No trace contains', THEIRS.slice(1), workspace.from.slice(1)]) {
    expect(exported).not.toContain(secret);
  }
  for (const secret of [workspace.apiKey, workspace.authToken])
    expect(exported).not.toContain(secret);
  expect(receiver.requests[0]?.authorization).toBe('Bearer of-the-collector');
});

test('a trace continues after a flush of the queue and after a worker is killed during the provider call', async () => {
  const lost = createTrace();
  await send('Lost', { traceparent: lost.traceparent });
  // No worker runs, so the flush removes the hint.
  await redis.kill();
  await redis.start();
  const killed = await startWorker(env);
  onTestFinished(() => killed.kill());
  const found = await collect(lost.traceId, ['accept message', 'dispatch message', CALLBACK]);
  expect(find(found, 'dispatch message').parentSpanId).toBe(find(found, 'accept message').spanId);

  const json = { latency_ms: 4_500, callback_drop: 1 };
  await ask(simulator.url, '/simulator/behaviour', { method: 'PUT', json });
  const trace = createTrace();
  await send('Begun by one', { traceparent: trace.traceparent });
  await vi.waitUntil(
    async () => (await ask(simulator.url, '/simulator/ledger')).text.includes('Begun by one'),
    30_000,
  );
  await killed.kill();
  // Expires the lease.
  await service.sql(`UPDATE message_progress SET due_at = now() WHERE dispatch = 'inflight'`);
  const successor = await startWorker(env);
  onTestFinished(() => successor.stop());
  const spans = await collect(trace.traceId, ['accept message', 'end lease', 'look up message']);
  await ask(simulator.url, '/simulator/ledger', { method: 'DELETE' });
  for (const name of ['end lease', 'look up message']) {
    expect(find(spans, name)).toMatchObject({
      service: 'switchboard-worker',
      parentSpanId: find(spans, 'accept message').spanId,
      attributes: { 'switchboard.attempt': 1 },
    });
  }
});

test('a request without a valid traceparent starts a new trace', async () => {
  const before = receiver.spans.length;
  await send('No trace');
  await send('Not one', { traceparent: '00-zz-zz-01' });
  const requests = (): ReceivedSpan[] =>
    receiver.spans.slice(before).filter(({ name }) => name === SEND);
  await vi.waitFor(() => expect(requests()).toHaveLength(2), EVENTUALLY);
  for (const span of requests()) expect(span.parentSpanId).toBe('');
  expect(new Set(requests().map(({ traceId }) => traceId)).size).toBe(2);
});

test('a trace that the caller does not sample is not exported, but its id is in the row and the logs', async () => {
  const { traceId, spanId } = createTrace();
  const id = await send('Not sampled', { traceparent: `00-${traceId}-${spanId}-00` });
  const [row] = await service.sql<{ trace_parent: string }>(
    'SELECT trace_parent FROM messages WHERE id = $1',
    [id],
  );
  expect(row?.trace_parent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  await vi.waitFor(() => {
    expect(service.apis[0]?.logs.join('\n')).toContain(`"trace_id":"${traceId}"`);
  }, EVENTUALLY);
  const later = createTrace();
  await send('Sampled', { traceparent: later.traceparent });
  await collect(later.traceId, [SEND]);
  expect(receiver.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test('a collector that refuses spans causes one warning, and one log line when it accepts them again', async () => {
  const api = service.apis[0];
  const lines = (text: string): number =>
    api?.logs.filter((line) => line.includes(text)).length ?? 0;
  receiver.respondWith(400);
  const refused = receiver.requests.length;
  await send('Refused');
  await vi.waitUntil(() => receiver.requests.length > refused, EVENTUALLY);
  await send('Refused again');
  await vi.waitUntil(() => receiver.requests.length > refused + 1, EVENTUALLY);
  receiver.respondWith(200);
  await send('Accepted');
  await vi.waitUntil(() => lines('exporting traces again') === 1, EVENTUALLY);
  expect(lines('failed to export traces')).toBe(1);
});

test('with an unreachable collector, a process stops in time with exit code 0', async () => {
  const unreachable = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const api = await startApi({ ...env, ...unreachable, PUBLIC_URL: 'http://127.0.0.1:1' });
  const json = { to: THEIRS, body: 'Not exported' };
  const sent = await ask(api.url, '/api/messages', { token: workspace.apiKey, json });
  expect(sent.status).toBe(201);
  await api.stop();
  expect(api.logs.filter((line) => line.includes('failed to export the last traces'))).toHaveLength(
    1,
  );
});

/** Returns the files of OpenTelemetry's SDK and exporter that a process has loaded. */
async function findLoaded(settings: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-loaded-'));
  try {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: _endpoint, ...rest } = env;
    const own = { ...rest, ...settings, NODE_V8_COVERAGE: folder };
    const compiled = { isUnbundled: true };
    for (const start of [startApi, startWorker]) {
      const child = await start({ ...own, PUBLIC_URL: 'http://127.0.0.1:1' }, compiled);
      await child.stop();
    }
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThanOrEqual(2);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const urls = texts.flatMap((text) =>
      (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
    );
    expect(urls.some((url) => url.includes('/runtime/dist/tracing/tracer.js'))).toBe(true);
    // The metrics library always loads the small @opentelemetry/api package.
    return urls.filter((url) => /@opentelemetry\/(?!api\/)|tracing\/open-telemetry/.test(url));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('OpenTelemetry is not loaded unless an endpoint is configured', async () => {
  expect(await findLoaded({})).toEqual([]);
  expect((await findLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })).length).toBeGreaterThan(
    10,
  );
});
