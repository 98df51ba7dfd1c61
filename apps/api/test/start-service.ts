import { createConnection } from 'node:net';
import {
  type ChildProcess,
  type TestDatabase,
  type WorkspaceFixture,
  type WorkspaceFixtureOptions,
  createTestDatabase,
  createTestRedis,
  createWorkspaceFixture,
  startApi,
  startOnce,
  updateMessages,
} from '@switchboard/testing';
import pg from 'pg';
import { expect } from 'vitest';
import { findUndocumented, isDocumentedPart } from './documented.ts';

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or null if it is not JSON. */
  json: Record<string, unknown> | null;
}

export interface AskOptions {
  method?: string;
  token?: string;
  headers?: Record<string, string>;
  /** The body, sent as JSON. */
  json?: unknown;
  /** The raw body. `headers` must contain its content type. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** Sends a request. Throws if the response is not in the OpenAPI document. */
export async function ask(
  url: string,
  path: string,
  options: AskOptions = {},
): Promise<ApiResponse> {
  const headers = new Headers(options.headers);
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  if (options.json !== undefined) headers.set('content-type', 'application/json');
  const body = options.json === undefined ? options.raw : JSON.stringify(options.json);
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const { status } = response;
  const undocumented = isDocumentedPart(path)
    ? findUndocumented(method, path, { status, headers: response.headers, text })
    : null;
  if (undocumented !== null) throw new Error(`${method} ${path}: ${undocumented}\n${text}`);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
}

/** Expects an error response with this status and code. */
export function expectRefusal(
  response: ApiResponse,
  status: number,
  error: string,
  detail?: RegExp | string,
): void {
  expect([response.status, response.json?.['error']]).toEqual([status, error]);
  expect(Object.keys(response.json ?? {}).toSorted()).toEqual(['detail', 'error']);
  expect(response.json?.['detail']).toEqual(
    detail === undefined ? expect.any(String) : expect.stringMatching(detail),
  );
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-request-id')).toBeTruthy();
}

/** Sorts numbers in ascending order. */
export const upwards = (a: number, b: number): number => a - b;

/** Writes bytes to the API's port and reads until it closes the connection or sends nothing more. */
export function sendRaw(
  url: string,
  parts: readonly (string | Buffer)[],
  options: { closesWithinMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    let received = '';
    socket.setTimeout(options.closesWithinMs ?? 20_000, () => {
      socket.destroy();
      reject(new Error(`The connection stays open after: ${received.slice(0, 500)}`));
    });
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
    });
    socket.on('data', (chunk) => (received += chunk.toString()));
    // The connection of a refused request may be reset after the response.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

/** Writes each request when the one before has its response, and reads until the API closes the connection. */
export function sendInTurn(url: string, requests: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    const rest = requests.values();
    let received = '';
    socket.setTimeout(20_000, () => socket.destroy(new Error(`No response after: ${received}`)));
    const sendNext = () => void socket.write(rest.next().value ?? '');
    socket.on('connect', sendNext);
    socket.on('data', (chunk) => {
      received += chunk.toString();
      sendNext();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

export interface Service {
  database: TestDatabase;
  /** Runs SQL directly on the database, without the service. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  updateMessages(change: Parameters<typeof updateMessages>[1]): Promise<number>;
  countRows(table: string): Promise<number>;
  apis: ChildProcess[];
  /** The URL of the first API. */
  url: string;
  addWorkspace(options?: WorkspaceFixtureOptions): Promise<WorkspaceFixture>;
  close(): Promise<void>;
}

export const BACKENDS = ['PostgreSQL', 'Redis'] as const;

/** Starts a database and API processes, with Redis if `backend` is Redis. */
export async function startService(
  options: {
    backend?: (typeof BACKENDS)[number];
    /** The number of API processes. */
    apis?: number;
    env?: Record<string, string>;
  } = {},
): Promise<Service> {
  const database = await createTestDatabase();
  const redis = options.backend === 'Redis' ? await createTestRedis() : null;
  const env = {
    DATABASE_URL: database.url,
    ...(redis !== null && { REDIS_URL: redis.url }),
    ...options.env,
  };
  const apis = await Promise.all(Array.from({ length: options.apis ?? 1 }, () => startApi(env)));
  return connect(database, apis, async () => {
    await redis?.close();
    await database.drop();
  });
}

/**
 * Returns an API with the default settings and its database, which the test files of this process share: for tests
 * that look only at workspaces of their own, and exhaust no limit of an address.
 */
export async function shareService(): Promise<Service> {
  const { database, api } = await startOnce('api', async () => {
    const created = await createTestDatabase();
    const env = { DATABASE_URL: created.url };
    return { database: created, api: await startApi(env, { isShared: true }) };
  });
  return connect(database, [api]);
}

/** Connects to the database. `end` ends the servers, after the processes. A service without it continues to run. */
function connect(database: TestDatabase, apis: ChildProcess[], end?: () => Promise<void>): Service {
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // Dropping the database may close connections that are still open, which is expected.
  pool.on('error', () => undefined);
  return {
    database,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    updateMessages: (change) => updateMessages(pool, change),
    async countRows(table) {
      const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
      return rows[0]?.n ?? -1;
    },
    apis,
    url: apis[0]?.url ?? '',
    addWorkspace: (fixture) => createWorkspaceFixture(database.url, fixture),
    async close() {
      if (end !== undefined) await Promise.all(apis.map((api) => api.stop()));
      await pool.end();
      await end?.();
    },
  };
}
