import { createdApiKey } from '@switchboard/contracts';
import { type ChildProcess, type WorkspaceFixture, startApi } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
  type AskOptions,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';
import { type WorkspaceClient, clientOf, dataOf } from './workspace-client.ts';

export let service: Service;
/** Trusts one proxy. The others trust none. */
export let behindProxy: ChildProcess;
export let workspace: WorkspaceFixture;
export let owner: WorkspaceClient;
const limits = { RATE_LIMIT_MESSAGING: '100000' };

/** Registers the hooks of the calling file: two processes, and a new workspace for each test. */
export function useKeys(): void {
  beforeAll(async () => {
    service = await startService({ apis: 2, env: limits });
    behindProxy = await startApi({
      ...limits,
      DATABASE_URL: service.database.url,
      TRUST_PROXY: '1',
    });
  });
  afterAll(async () => {
    await behindProxy.stop();
    await service.close();
  });
  beforeEach(async () => {
    workspace = await service.addWorkspace();
    owner = clientOf(service, workspace, workspace.sessionToken);
  });
}

export async function createKey(fields: object = {}) {
  const response = await owner('/api-keys', { json: { name: 'Billing', ...fields } });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return createdApiKey.strict().parse(response.json);
}

export const urlOf = (api: number) => service.apis[api]?.url ?? '';
export const use = (token: string, options: AskOptions = {}, url = service.url) =>
  ask(url, '/api/workspace', { token, ...options });
export const send = (token: string, api = 0, options: AskOptions = {}) =>
  ask(urlOf(api), '/api/messages', { token, json: { to: '+15551230001', body: 'x' }, ...options });
export const listed = async (id: string) =>
  dataOf(await owner('/api-keys')).find((key) => key['id'] === id);

/** The key is known to both processes afterwards, so that they do not look it up for a send. */
export async function sendFromBoth(key: string): Promise<void> {
  for (const api of [0, 1]) expect((await send(key, api)).status).toBe(201);
}

export async function expectExpired(key: string, at: string): Promise<void> {
  const detail = `The API key expired at ${at}`;
  for (const api of [0, 1]) {
    expectRefusal(await send(key, api), 401, 'unauthorized', detail);
    expectRefusal(await use(key, {}, urlOf(api)), 401, 'unauthorized', detail);
  }
}
