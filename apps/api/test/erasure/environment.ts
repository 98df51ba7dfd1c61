import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChildProcess,
  type RedisServer,
  type WorkspaceFixture,
  EVENTUALLY,
  startRedis,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { type Service, ask, startService } from '../start-service.ts';
import { type WorkspaceClient, clientOf } from '../workspace-client.ts';

export const OURS = '+15558675555';
/** Two forms of one subscriber, and another number of the same contact. */
export const THEIRS = '+5511987654321';
export const OTHER_FORM = '+551187654321';
export const SECOND = '+14155550177';
export const SOMEONE_ELSE = '+14155550188';

/** What only this person's data has. Digits without a plus, as within URLs and texts of providers. */
export const TRACES = [
  THEIRS.slice(1),
  OTHER_FORM.slice(1),
  SECOND.slice(1),
  'Yaroslava',
  'zephyrine',
  'quetzalcoatlus',
  'wunderkammer',
  'xylophonist',
  'my-portrait',
  'leave me alone please',
  'ticket-of-yaroslav',
  'hummingbird',
];

let folder: string;
export let redis: RedisServer;
export let simulator: ChildProcess;
export let service: Service;
export let worker: ChildProcess;
export let workspace: WorkspaceFixture;
export let env: Record<string, string>;
export let owner: WorkspaceClient;

export function useEnvironment(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-erasure-test-'));
    redis = await startRedis({ settings: { rdbcompression: 'no' } });
    simulator = await startSimulator();
    env = {
      REDIS_URL: redis.url,
      TWILIO_API_URL: simulator.url,
      SWEEP_MS: '200',
      LOG_LEVEL: 'trace',
      RATE_LIMIT_MESSAGING: '100000',
      RATE_LIMIT_UI: '100000',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      MEDIA_FOLDER: folder,
      // No pause of a failing endpoint is longer, so each event is attempted soon.
      WEBHOOK_RETRIES_MS: '500,1000',
    };
    service = await startService({ env });
    env = { ...env, DATABASE_URL: service.database.url, PUBLIC_URL: service.url };
    workspace = await service.addWorkspace({ from: null });
    owner = clientOf(service, workspace, workspace.sessionToken);
    await insertOldMessages();
    worker = await startWorker(env);
    const added = await owner('/numbers', { json: { number: OURS } });
    if (added.json?.['inbound_wired'] !== true) throw new Error('inbound is not configured');
  });
  afterAll(async () => {
    await worker.stop();
    await service.close();
    await simulator.stop();
    await redis.close();
    await rm(folder, { recursive: true, force: true });
  });
}

/** Messages of yesterday, so many that the search has written their words into a chunk. */
async function insertOldMessages(): Promise<void> {
  await service.sql(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status, created_at,
       updated_at, dispatch)
     SELECT uuid_v7(now() - interval '1 day' + n * interval '1 second'), $1::uuid, 'inbound', $2,
       CASE WHEN n % 2 = 0 THEN $3 ELSE $4 END, CASE WHEN n % 2 = 0 THEN 'quetzalcoatlus' ELSE 'ordinary' END,
       1, 'received', now(), now(), 'accepted'
     FROM generate_series(1, 200) AS n`,
    [workspace.workspaceId, OURS, OTHER_FORM, SOMEONE_ELSE],
  );
}

export const key = (path: string, options: object = {}) =>
  ask(service.url, `/api${path}`, { token: workspace.apiKey, ...options });

export async function send(json: object, headers: Record<string, string> = {}): Promise<string> {
  const sent = await key('/messages', { json: { from: OURS, ...json }, headers });
  expect(sent.json).toMatchObject({ id: expect.any(String) as string });
  return String(sent.json?.['id']);
}

export async function until(messageId: string, status: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await key(`/messages/${messageId}`)).json).toMatchObject({ status });
  }, EVENTUALLY);
}

export async function receive(from: string, body: string, mediaUrls: string[] = []): Promise<void> {
  const json = { to: OURS, from, body, media_urls: mediaUrls };
  const received = await ask(simulator.url, '/simulator/inbound', { json });
  expect(received.json).toMatchObject({ status: 200 });
}

export async function untilErased(id: string): Promise<Record<string, unknown>> {
  await vi.waitFor(async () => {
    expect((await owner(`/erasures/${id}`)).json).toMatchObject({ state: 'finished' });
  }, EVENTUALLY);
  return (await owner(`/erasures/${id}`)).json ?? {};
}

export const rowsOfPerson = (number: string) =>
  service.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM opt_outs WHERE number = $1 OR is_erased`,
    [number],
  );

/** Replaces the worker by one that starts now. */
export async function restartWorker(): Promise<void> {
  worker = await startWorker(env);
}
