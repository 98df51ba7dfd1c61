import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Credential } from '@switchboard/contracts';
import { createLogger } from '@switchboard/runtime';
import { TEST_SECRET_KEY, type TestDatabase, createTestDatabase } from '@switchboard/testing';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readApiConfig } from '../../src/config.ts';
import { type Dependencies, createDependencies } from '../../src/dependencies.ts';
import { type AppResponse, askApp } from './ask-app.ts';
import {
  type TestedEndpoint,
  addressesOf,
  endpoints,
  valuesOf,
  unknownValuesOf,
} from './endpoints.ts';
import { deliverTestEvents } from '../deliver-test-events.ts';
import { sendTwilioWebhook } from './send-twilio-webhook.ts';
import { sendVendorWebhooks } from './send-vendor-webhooks.ts';
import { type Tenant, addMember, createTenant, readAllRows } from './tenant.ts';

/** The pages that browsers open, which have no definition. */
const PAGES = [
  'GET /*',
  'GET /assets/*',
  'GET /icon.svg',
  'GET /theme.js',
  'GET /api/ui/oidc/start',
  'GET /api/ui/oidc/callback',
];

let testDatabase: TestDatabase;
let pool: pg.Pool;
let mediaFolder: string;
let dependencies: Dependencies;
let app: FastifyInstance;
let url: string;
const registered = new Set<string>();
const lines: string[] = [];

/** The clients: an owner, a member and a removed member. */
let ours: Tenant;
let theirs: Tenant;
let plainMember: Tenant;
let removed: Tenant;
let revokedKey: Tenant;
let before: unknown;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  pool.on('error', () => undefined);

  mediaFolder = await mkdtemp(join(tmpdir(), 'switchboard-tenancy-test-'));
  vi.stubEnv('MEDIA_FOLDER', mediaFolder);
  vi.stubEnv('DATABASE_URL', testDatabase.url);
  vi.stubEnv('REDIS_URL', '');
  vi.stubEnv('SECRET_KEY', TEST_SECRET_KEY);
  vi.stubEnv('PUBLIC_URL', 'http://switchboard.test');
  // An unreachable provider must not prevent a response.
  vi.stubEnv('TWILIO_API_URL', 'http://127.0.0.1:1');
  vi.stubEnv('RATE_LIMIT_MESSAGING', '100000');
  vi.stubEnv('RATE_LIMIT_UI', '100000');
  const config = readApiConfig();
  const logger = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  dependencies = await createDependencies(config, logger);
  await dependencies.start();
  app = await createApp(dependencies, {
    logger,
    trustedProxies: 0,
    onRoute({ method, url: path }) {
      // Each GET route also has a HEAD route with the same hooks.
      for (const one of [method].flat()) if (one !== 'HEAD') registered.add(`${one} ${path}`);
    },
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });

  await deliverTestEvents(pool);
  const tenant = () => createTenant(testDatabase.url, pool, mediaFolder);
  [ours, theirs, plainMember, removed, revokedKey] = [
    await tenant(),
    await tenant(),
    await tenant(),
    await tenant(),
    await tenant(),
  ];
  await addMember(pool, ours, plainMember.userId, 'member');
  await addMember(pool, theirs, removed.userId, 'owner');
  const owner = { method: 'DELETE', token: theirs.sessionToken };
  const path = `/api/ui/workspaces/${theirs.workspaceId}/members/${removed.userId}`;
  const { status } = await askApp(url, { ...owner, path });
  if (status !== 200) throw new Error(`The member could not be removed: ${status}`);
  await pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [revokedKey.apiKeyId]);
  before = await readAllRows(pool, theirs.workspaceId);
});

afterAll(async () => {
  await app.close();
  await dependencies.close();
  await pool.end();
  await testDatabase.drop();
  await rm(mediaFolder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const by = (credential: Credential) =>
  endpoints.filter((endpoint) => endpoint.credential === credential);
const ofWorkspace = by('session').filter(({ params }) => params.includes('workspaceId'));
const webhooksOfAccounts = endpoints.filter(({ path }) =>
  /^\/api\/webhooks\/\w+\/\{providerId\}/.test(path),
);
const resourceParams = ({ params }: TestedEndpoint) =>
  params.filter((param) => param !== 'workspaceId');

test('every route of the API is registered from its definition', () => {
  const defined = endpoints.map(({ key }) => key.replaceAll(/\{(\w+)\}/g, ':$1'));
  const found = [...registered].filter((key) => !PAGES.includes(key));
  expect(found.toSorted()).toEqual(defined.toSorted());
});

test('the test workspace has a value for every path parameter', () => {
  for (const endpoint of endpoints) {
    for (const param of endpoint.params) expect(valuesOf(endpoint, ours, param)).not.toEqual([]);
  }
});

function ask(endpoint: TestedEndpoint, path: string, token?: string): Promise<AppResponse> {
  const { route, json, raw, isUpgrade } = endpoint;
  const body = raw === undefined ? { json } : { raw };
  return askApp(url, { method: route.method, path, token, ...body, upgrade: isUpgrade });
}

const tokenOf = ({ credential }: TestedEndpoint, tenant: Tenant) =>
  credential === 'session' ? tenant.sessionToken : tenant.apiKey;

/** Expects that a response contains nothing of the other workspace. */
function expectNothingOfTheirs({ body }: AppResponse): void {
  const { workspaceId, userId, email, apiKeyId, accountSid, from } = theirs;
  const { index: _position, ...ids } = theirs.params;
  const own = [...Object.values(ids).flat().map(decodeURIComponent), ...theirs.receivedIds];
  for (const mark of [workspaceId, userId, email, apiKeyId, accountSid, from, ...own]) {
    expect(body).not.toContain(mark);
  }
}

async function expectRefusal(
  response: AppResponse | Promise<AppResponse>,
  status: number,
  error: string,
) {
  const received = await response;
  expect([received.status, received.body]).toEqual([status, expect.stringContaining(error)]);
  expect(JSON.parse(received.body)).toEqual({ error, detail: expect.any(String) });
  expectNothingOfTheirs(received);
}

describe('isolation of workspaces', () => {
  test.each(ofWorkspace)('$key is forbidden for users of another workspace', async (route) => {
    for (const path of addressesOf(route, theirs)) {
      await expectRefusal(ask(route, path, ours.sessionToken), 403, 'forbidden');
    }
    // Also with ids of the user's own workspace.
    for (const path of addressesOf(route, ours, { workspaceId: theirs.workspaceId })) {
      await expectRefusal(ask(route, path, ours.sessionToken), 403, 'forbidden');
    }
  });

  test.each(ofWorkspace)('$key is forbidden for a removed member', async (route) => {
    for (const path of addressesOf(route, theirs)) {
      await expectRefusal(ask(route, path, removed.sessionToken), 403, 'forbidden');
    }
  });

  // Any number may be erased, and one that the workspace does not have erases nothing.
  const withResources = [...by('session'), ...by('api_key')].filter(
    (route) => resourceParams(route).length > 0 && route.name !== 'erasePerson',
  );

  test.each(withResources)('$key does not find ids of another workspace', async (route) => {
    const token = tokenOf(route, ours);
    // A position in a list belongs to no workspace, and the token of an invitation is a credential.
    const notOwned = ['index', 'token'];
    for (const param of resourceParams(route).filter((name) => !notOwned.includes(name))) {
      for (const id of valuesOf(route, theirs, param)) {
        for (const path of addressesOf(route, ours, { [param]: id })) {
          await expectRefusal(ask(route, path, token), 404, 'not_found');
        }
      }
    }
  });

  test.each(withResources)(
    '$key responds to unknown ids in the same way as to ids of another workspace',
    async (route) => {
      const token = tokenOf(route, ours);
      for (const param of resourceParams(route)) {
        for (const id of unknownValuesOf(param)) {
          for (const path of addressesOf(route, ours, { [param]: id })) {
            await expectRefusal(ask(route, path, token), 404, 'not_found');
          }
        }
      }
    },
  );
});

test.each(ofWorkspace)('$key responds with 404 for an unknown workspace', async (route) => {
  for (const workspaceId of unknownValuesOf('workspaceId')) {
    for (const path of addressesOf(route, ours, { workspaceId })) {
      await expectRefusal(ask(route, path, ours.sessionToken), 404, 'not_found');
    }
  }
});

describe('credentials', () => {
  test.each([...by('session'), ...by('api_key')])(
    '$key requires a valid credential of its scheme',
    async (route) => {
      const [path = ''] = addressesOf(route, ours);
      const own = tokenOf(route, ours);
      const other = own === ours.apiKey ? ours.sessionToken : ours.apiKey;
      for (const token of [undefined, 'none', other, `${own}x`, own.slice(0, -1)]) {
        await expectRefusal(ask(route, path, token), 401, 'unauthorized');
      }
    },
  );

  test.each(by('api_key'))('$key refuses a revoked API key', async (route) => {
    const [path = ''] = addressesOf(route, revokedKey);
    await expectRefusal(ask(route, path, revokedKey.apiKey), 401, 'unauthorized');
  });

  test.each(by('provider_signature'))(
    '$key requires the signature of its workspace',
    async (route) => {
      const fields = {
        AccountSid: theirs.accountSid,
        MessageSid: theirs.params['messageId']?.[1] ?? '',
        MessageStatus: 'delivered',
        From: '+15557654321',
        To: theirs.from,
        Body: 'STOP',
        NumMedia: '0',
      };
      const post = (path: string, key: string) => sendTwilioWebhook({ url, path, key, fields });
      const [at = ''] = addressesOf(route, theirs);
      await expectRefusal(post(at, ours.authToken), 403, 'forbidden');
      await expectRefusal(post(at, ''), 403, 'forbidden');
      // A valid signature of our workspace for a message and number of the other workspace.
      const [here = ''] = addressesOf(route, ours);
      const about = `${here}?message=${theirs.params['messageId']?.[0]}&attempt=1`;
      await expectRefusal(post(about, ours.authToken), 403, 'forbidden');
      for (const workspaceId of unknownValuesOf('workspaceId')) {
        const [nowhere = ''] = addressesOf(route, ours, { workspaceId });
        await expectRefusal(post(nowhere, ours.authToken), 403, 'forbidden');
      }
    },
  );

  test.each(webhooksOfAccounts)('$key requires the signature of its account', async ({ path }) => {
    const { forged, valid } = await sendVendorWebhooks({ pool, url, path, ours, theirs });
    for (const response of forged) await expectRefusal(response, 403, 'forbidden');
    expect(valid.status).toBe(200);
  });
});

// Proves that not every request is refused. Reads come first, before other tests add list entries.
const reads = ({ route }: TestedEndpoint) => route.method === 'GET';
const authenticated = [...by('session'), ...by('api_key')];

test.each([...authenticated.filter(reads), ...authenticated.filter((route) => !reads(route))])(
  '$key succeeds for authorized clients and returns nothing of other workspaces',
  async (route) => {
    const tenant = reads(route) ? ours : await createTenant(testDatabase.url, pool, mediaFolder);
    // The last owner cannot be removed.
    if (!reads(route)) await addMember(pool, tenant, plainMember.userId, 'member');
    const [path = ''] = addressesOf(route, {
      ...tenant,
      params: { ...tenant.params, userId: [plainMember.userId] },
    });
    const response = await ask(route, path, tokenOf(route, tenant));
    expect([response.status, response.body]).toEqual([route.status, expect.any(String)]);
    expectNothingOfTheirs(response);
  },
);

test('no row of the other workspace has changed during the tenancy tests, and no request failed', async () => {
  expect(await readAllRows(pool, theirs.workspaceId)).toEqual(before);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
