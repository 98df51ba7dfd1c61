import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeForbidden, permissionOf } from '@switchboard/contracts';
import { ALL_SCOPES, KEY_SCOPES, ROLES, type Role, hasPermission } from '@switchboard/core';
import { createWorkspaceFixture } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addApiKey } from '../add-api-key.ts';
import { type Service, startService } from '../start-service.ts';
import { askApp } from './ask-app.ts';
import { type TestedEndpoint, addressesOf, endpoints } from './endpoints.ts';
import { type Tenant, addMember, createTenant, readAllRows } from './tenant.ts';

let service: Service;
let pool: pg.Pool;
let mediaFolder: string;
let tenant: Tenant;
/** A key with one scope each, and one with all. */
const keys = new Map<string, string>();
const sessions = new Map<Role, string>();

beforeAll(async () => {
  mediaFolder = await mkdtemp(join(tmpdir(), 'switchboard-scopes-test-'));
  service = await startService({
    env: {
      MEDIA_FOLDER: mediaFolder,
      RATE_LIMIT_MESSAGING: '100000',
      RATE_LIMIT_UI: '100000',
      // An unreachable provider must not prevent a response.
      TWILIO_API_URL: 'http://127.0.0.1:1',
    },
  });
  pool = new pg.Pool({ connectionString: service.database.url, max: 2 });
  pool.on('error', () => undefined);
  tenant = await createTenant(service.database.url, pool, mediaFolder);
  for (const scope of [...Object.keys(KEY_SCOPES), ALL_SCOPES]) {
    const { key } = await addApiKey(pool, tenant.workspaceId, { scopes: [scope] });
    keys.set(scope, key);
  }
  for (const role of ROLES) {
    const person = await createWorkspaceFixture(service.database.url);
    await addMember(pool, tenant, person.userId, role);
    sessions.set(role, person.sessionToken);
  }
});
afterAll(async () => {
  await pool.end();
  await service.close();
  await rm(mediaFolder, { recursive: true, force: true });
});

const ofKeys = endpoints.filter(({ credential }) => credential === 'api_key');
const ofWorkspace = endpoints.filter(
  ({ credential, params }) => credential === 'session' && params.includes('workspaceId'),
);

async function call(endpoint: TestedEndpoint, token: string) {
  const [path = ''] = addressesOf(endpoint, tenant);
  const { route, json, raw, isUpgrade: upgrade } = endpoint;
  const content = raw === undefined ? { json } : { raw };
  const { status, body } = await askApp(service.url, {
    method: route.method,
    path,
    token,
    upgrade,
    ...content,
  });
  const isForbidden = status === 403;
  return { status, detail: isForbidden ? (JSON.parse(body) as { detail: string }).detail : '' };
}

test.each(ofKeys)(
  '$key admits API keys with its scope, and names it to all others',
  async (endpoint) => {
    const { scope } = endpoint.route;
    const isAdmitted = (given: string) =>
      given === ALL_SCOPES || scope === 'any' || given === scope;
    const before = await readAllRows(pool, tenant.workspaceId);
    for (const [given, key] of keys) {
      if (isAdmitted(given)) continue;
      const refused = { status: 403, detail: describeForbidden.scope(String(scope)) };
      expect([given, await call(endpoint, key)]).toEqual([given, refused]);
    }
    expect(withoutUses(await readAllRows(pool, tenant.workspaceId))).toEqual(withoutUses(before));
    for (const [given, key] of keys) {
      if (!isAdmitted(given)) continue;
      const { status } = await call(endpoint, key);
      expect([given, status]).not.toEqual([given, expect.toBeOneOf([401, 403, 500])]);
    }
  },
);

test('API keys reach no route that could give a key or a person more access', () => {
  const guarded = ofKeys.filter(({ route }) =>
    ['API keys', 'Members', 'Provider', 'Users and sessions'].includes(route.tag),
  );
  expect(guarded.map(({ key }) => key)).toEqual([]);
});

test.each(ofWorkspace)(
  '$key admits the roles that its permission names, and no other',
  async (endpoint) => {
    const named = permissionOf(endpoint.route);
    // In these paths, the member is another one.
    const permission = named === 'manage_or_self' ? 'manage' : named;
    // Those that are refused come first, because others may delete what the path names.
    for (const role of ROLES.toReversed()) {
      const { status, detail } = await call(endpoint, sessions.get(role) ?? '');
      const refusal = describeForbidden.permission(permission);
      if (hasPermission(role, permission)) {
        // A note has rules of its own: it may be forbidden for who is not its author.
        expect([role, status]).not.toEqual([role, expect.toBeOneOf([401, 500])]);
        expect([role, detail]).not.toEqual([role, refusal]);
      } else {
        expect([role, status, detail]).toEqual([role, 403, refusal]);
      }
    }
  },
);

test('a viewer changes nothing with any request', async () => {
  const before = withoutUses(await readAllRows(pool, tenant.workspaceId));
  const admitted: string[] = [];
  for (const endpoint of ofWorkspace) {
    const { status } = await call(endpoint, sessions.get('viewer') ?? '');
    if (status !== 403 && endpoint.route.method !== 'GET') admitted.push(endpoint.name);
  }
  // The first request for test mode creates the test workspace, and changes nothing of the workspace.
  expect(admitted).toEqual(['openTestWorkspace', 'previewRouting']);
  expect(withoutUses(await readAllRows(pool, tenant.workspaceId))).toEqual(before);
});

/** The last use of a key is recorded in the background, also by a request that is refused. */
function withoutUses(rows: unknown): unknown {
  const { api_keys: all, ...others } = rows as { api_keys: { row: Record<string, unknown> }[] };
  return {
    ...others,
    api_keys: all
      .map(({ row: { last_used_at: _at, last_used_ip: _ip, ...row } }) => JSON.stringify(row))
      .toSorted(),
  };
}
