import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ChildProcess,
  type PostgresServer,
  startApi,
  startPostgres,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deliverTestEvents } from '../deliver-test-events.ts';
import { ask } from '../start-service.ts';
import { type TestedEndpoint, addressesOf, endpoints } from '../tenancy/endpoints.ts';
import { type Tenant, createTenant } from '../tenancy/tenant.ts';
import { fillLimits } from './fill-limits.ts';
import { type LargeRequest, requestsOf } from './requests-of.ts';

/** No request may hold the event loop for longer. */
const LONGEST_MS = 50;
/** Enough for several pages of every export. */
const READ_BYTES = 6 * 1024 * 1024;
const MINUTE_MS = 60_000;

let postgres: PostgresServer;
let pool: pg.Pool;
let mediaFolder: string;
let api: ChildProcess;
let full: Tenant;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  pool.on('error', () => undefined);
  mediaFolder = await mkdtemp(join(tmpdir(), 'switchboard-stalls-test-'));
  const unlimited = '100000000';
  const env = {
    DATABASE_URL: postgres.url,
    MEDIA_FOLDER: mediaFolder,
    TWILIO_API_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_MESSAGING: unlimited,
    RATE_LIMIT_UI: unlimited,
    RATE_LIMIT_WORKSPACE: unlimited,
  };
  const probe = pathToFileURL(join(import.meta.dirname, 'stall-probe.mjs')).href;
  api = await startApi(env, { nodeFlags: ['--import', probe] });
  await deliverTestEvents(pool);
  full = await addTenant();
  await fillLimits((text, values) => pool.query(text, values), full);
  await pool.query('ANALYZE');
}, 5 * MINUTE_MS);

afterAll(async () => {
  await api.stop();
  await pool.end();
  await postgres.close();
  await rm(mediaFolder, { recursive: true, force: true });
});

const addTenant = (): Promise<Tenant> => createTenant(postgres.url, pool, mediaFolder);

/** Returns the longest CPU time of one turn of the API's event loop since the last call. */
async function readStall(): Promise<number> {
  const before = api.logs.length;
  const find = () => api.logs.slice(before).find((line) => line.startsWith('{"longestMs"'));
  api.signal('SIGUSR2');
  const line = await vi.waitUntil(find, { timeout: MINUTE_MS, interval: 1 });
  return (JSON.parse(line) as { longestMs: number }).longestMs;
}

/** Sends a request and reads the beginning of the response. Returns its status. */
function send(
  { route, credential, isUpgrade }: TestedEndpoint,
  path: string,
  { apiKey, sessionToken }: Tenant,
  { query, body }: LargeRequest,
): Promise<number> {
  const token = credential === 'session' ? sessionToken : apiKey;
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'c3dpdGNoYm9hcmQgdGVzdA==',
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${api.url}${path}?${query}`, {
      method: route.method,
      agent: false,
      timeout: MINUTE_MS,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'application/json' : 'image/png',
        }),
        ...(isUpgrade && upgrade),
      },
    });
    sent.once('timeout', () => sent.destroy(new Error(`${path}: no response`)));
    sent.once('error', reject);
    sent.once('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    sent.once('response', (response) => {
      const { statusCode = 0 } = response;
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > READ_BYTES) response.destroy();
      });
      response.once('error', () => undefined);
      response.once('close', () => resolve(statusCode));
    });
    sent.end(body);
  });
}

/** A route has one cost for all credentials. */
const oneOfEachRoute = endpoints.filter(
  ({ name }, index) => endpoints.findLastIndex((other) => other.name === name) === index,
);

test.each(oneOfEachRoute)(
  '$key never holds the event loop for longer than 50 ms at the documented limits',
  async (endpoint) => {
    // A deletion does not depend on the limits, and would remove what other routes read.
    const tenant = endpoint.route.method === 'DELETE' ? await addTenant() : full;
    const [path = ''] = addressesOf(endpoint, tenant);
    for (const large of requestsOf(endpoint)) {
      const stalls: number[] = [];
      // The least of several turns is what the request costs; the others also collected garbage or
      // compiled code.
      while (stalls.length < 4 && Math.min(...stalls) > LONGEST_MS) {
        await readStall();
        const status = await send(endpoint, path, tenant, large);
        expect([large.name, status === 500]).toEqual([large.name, false]);
        stalls.push(await readStall());
      }
      expect(
        Math.min(...stalls),
        `${large.name} held the event loop for ${stalls.join(', ')} ms`,
      ).toBeLessThanOrEqual(LONGEST_MS);
    }
  },
  5 * MINUTE_MS,
);

test('a message with 20,000 events lists the latest 500, oldest first', async () => {
  const path = `/api/messages/${full.params['messageId']?.[0]}`;
  const { status, json } = await ask(api.url, path, { token: full.apiKey });
  expect(status).toBe(200);
  const events = json?.['events'] as { detail: string }[];
  const numbers = events.map(({ detail }) => Number.parseInt(detail, 10));
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, n) => 19_501 + n));
});
