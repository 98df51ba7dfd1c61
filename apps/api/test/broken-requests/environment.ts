import { type Endpoint, listEndpoints } from '@switchboard/contracts';
import { testWorkspaceOf } from '@switchboard/core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type ApiResponse, type Service, ask, startService } from '../start-service.ts';

export let service: Service;
export let workspace: WorkspaceFixture;
let numberId: string;
let endpointId: string;
const RECIPIENT = '+14155550147';
let providerId: string;
/** A key of the test workspace, which must exist before the rows are counted. */
let testKey: string;
let rowsBefore: number[];

/** Updates the expected numbers of rows after a test that adds rows itself. */
export async function acceptRows(): Promise<void> {
  rowsBefore = await countAll();
}

const TABLES = [
  'messages',
  'message_events',
  'idempotency_keys',
  'users',
  'workspaces',
  'members',
  'api_keys',
  'phone_numbers',
  'opt_outs',
  'provider_accounts',
];
const countAll = () => Promise.all(TABLES.map((table) => service.countRows(table)));

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useService(): void {
  beforeAll(async () => {
    service = await startService({
      env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000', ALLOW_SIGNUP: 'true' },
    });
    workspace = await service.addWorkspace();
    const [number] = await service.sql<{ id: string }>('SELECT id FROM phone_numbers');
    numberId = number?.id ?? '';
    const { apiKey: token } = workspace;
    const message = { to: RECIPIENT, body: 'Hello' };
    await ask(service.url, '/api/messages', { token, json: message });
    const url = 'https://example.com/webhooks';
    const endpoint = await ask(service.url, '/api/webhook-endpoints', { token, json: { url } });
    endpointId = String(endpoint.json?.['id']);
    const [provider] = await service.sql<{ id: string }>('SELECT id FROM provider_accounts');
    providerId = provider?.id ?? '';
    const inWorkspace = `/api/ui/workspaces/${workspace.workspaceId}`;
    const session = { token: workspace.sessionToken };
    await ask(service.url, `${inWorkspace}/test-workspace`, { ...session, method: 'POST' });
    const json = { name: 'Test', mode: 'test' };
    const key = await ask(service.url, `${inWorkspace}/api-keys`, { ...session, json });
    testKey = String(key.json?.['key']);
    rowsBefore = await countAll();
  });

  afterAll(() => service.close());

  afterEach(async () => {
    // No request of this file may store a row or crash the process.
    const rows = await countAll();
    if (rows.join() !== rowsBefore.join()) {
      throw new Error(`rows before: ${rowsBefore.join()}; rows after: ${rows.join()}`);
    }
    await ask(service.url, '/health/live');
  });
}

export const uuid = '01920000-0000-7000-8000-000000000000';
export const SEND = findEndpoint('POST /api/messages');
export const RENAME = findEndpoint('PATCH /api/workspace');
const endpoints = listEndpoints();
const tokenKinds = new Set(['api_key', 'session']);
export const WITH_CREDENTIAL = endpoints.filter(({ credential }) => tokenKinds.has(credential));
/** Without the webhooks of providers, because their signature is checked before their body. */
export const WITH_BODY = endpoints.filter(
  ({ route, credential }) =>
    route.body !== undefined && route.bodyType === undefined && !credential.endsWith('_signature'),
);

export function findEndpoint(key: string): Endpoint {
  const found = listEndpoints().find((endpoint) => endpoint.key === key);
  if (found === undefined) throw new Error(`${key} has no definition`);
  return found;
}

/** A route looks up what its path names before it reads the body, so those resources must exist. */
export function pathOf({ path }: { path: string }): string {
  const resources: Record<string, string> = {
    workspaceId: isOfTestMode(path)
      ? testWorkspaceOf(workspace.workspaceId)
      : workspace.workspaceId,
    numberId,
    endpointId,
    number: encodeURIComponent(RECIPIENT),
    providerId,
    userId: workspace.userId,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => resources[name] ?? uuid);
}

const isOfTestMode = (path: string): boolean => path.endsWith('/test/inbound');

export function tokenFor({ credential, path }: Pick<Endpoint, 'credential' | 'path'>): {
  token?: string;
} {
  if (credential === 'api_key') {
    return { token: isOfTestMode(path) ? testKey : workspace.apiKey };
  }
  return credential === 'session' ? { token: workspace.sessionToken } : {};
}

export function callRoute(
  endpoint: Endpoint,
  options: { raw?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  return ask(service.url, pathOf(endpoint), {
    method: endpoint.route.method,
    ...tokenFor(endpoint),
    headers: { 'content-type': 'application/json', ...options.headers },
    ...(options.raw !== undefined && { raw: options.raw }),
  });
}
