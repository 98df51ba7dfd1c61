import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ApiResponse, type Service, ask, startService } from '../start-service.ts';

export const TO = '+15551230001';
export const PATH = '/api/messages/batch';
export const MEBIBYTE = 1_048_576;

export let service: Service;
export let workspace: WorkspaceFixture;
let mediaFolder: string;
let keys = 0;

/** Registers the hooks of the calling file: two API processes and a workspace without rate limits. */
export function useBatchService(): void {
  beforeAll(async () => {
    mediaFolder = await mkdtemp(join(tmpdir(), 'switchboard-batch-test-'));
    service = await startService({
      apis: 2,
      env: {
        MEDIA_FOLDER: mediaFolder,
        RATE_LIMIT_MESSAGING: '1000000',
        RATE_LIMIT_WORKSPACE: '1000000',
        RATE_LIMIT_UI: '1000000',
      },
    });
    workspace = await service.addWorkspace();
  });
  afterAll(async () => {
    await service.close();
    await rm(mediaFolder, { recursive: true, force: true });
  });
}

export const newKey = (): string => `key-${(keys += 1)}`;

/** Returns sends to different numbers. */
export const listSends = (count: number, more: object = {}): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, n) => ({
    to: `+1555${2_000_000 + n}`,
    body: `n ${n}`,
    ...more,
  }));

export interface BatchOptions {
  key?: string;
  token?: string;
  api?: number;
  path?: string;
}

export function sendBatch(json: unknown, options: BatchOptions = {}): Promise<ApiResponse> {
  return ask(service.apis[options.api ?? 0]?.url ?? '', options.path ?? PATH, {
    token: options.token ?? workspace.apiKey,
    json,
    headers: options.key === undefined ? {} : { 'idempotency-key': options.key },
  });
}

export function sendRawBatch(
  raw: string | Buffer,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return ask(service.url, PATH, {
    token: workspace.apiKey,
    raw: typeof raw === 'string' ? raw : new Uint8Array(raw),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export const sendGzip = (raw: Buffer, coding = 'gzip'): Promise<ApiResponse> =>
  sendRawBatch(raw, { 'content-encoding': coding });

export const gzipOf = (json: unknown): Buffer => gzipSync(JSON.stringify(json));

export type Result = Record<string, unknown>;

export function resultsOf(response: ApiResponse): Result[] {
  expect(response.status).toBe(201);
  return response.json?.['results'] as Result[];
}

/** Returns the error of each result, or `stored`. */
export const outcomesOf = (response: ApiResponse): unknown[] =>
  resultsOf(response).map((result) => result['error'] ?? 'stored');

export async function countMessages(workspaceId = workspace.workspaceId): Promise<number> {
  const [row] = await service.sql<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE workspace_id = $1',
    [workspaceId],
  );
  return row?.n ?? -1;
}
