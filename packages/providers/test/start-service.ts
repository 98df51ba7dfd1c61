import { type ChildProcess, createTestDatabase, startApi, startWorker } from '@switchboard/testing';
import { afterAll, beforeAll } from 'vitest';
import { startSimulator } from './start-simulator.ts';

/** The options of a wait for a status, a message or a webhook. */
export const ARRIVED = { timeout: 60_000, interval: 100 };

export interface Service {
  simulator: Awaited<ReturnType<typeof startSimulator>>;
  database: Awaited<ReturnType<typeof createTestDatabase>>;
  api: ChildProcess;
  worker: ChildProcess;
}

/**
 * Registers hooks that start the simulator, an API and a worker for the calling file. The tests of
 * the file share them, because a start takes seconds on a busy machine. Returns the service, whose
 * parts exist once the hooks have run.
 *
 * @param toSettings returns the settings of API and worker
 */
export function useService(
  toSettings: (simulator: Service['simulator']) => Record<string, string>,
): Service {
  const service = {} as Service;
  beforeAll(async () => {
    service.simulator = await startSimulator();
    service.database = await createTestDatabase();
    const env = {
      DATABASE_URL: service.database.url,
      SWEEP_MS: '200',
      ...toSettings(service.simulator),
    };
    service.api = await startApi(env);
    service.worker = await startWorker({ ...env, PUBLIC_URL: service.api.url });
  });
  afterAll(async () => {
    await service.worker.stop();
    await service.api.stop();
    await service.database.drop();
    await service.simulator.close();
  });
  return service;
}

/** Sends a JSON request and returns the status and the parsed body. */
export async function request(url: string, method: string, authorization: string, body?: object) {
  const response = await fetch(url, {
    method,
    headers: { authorization, 'content-type': 'application/json', connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Calls a control route of the simulator. */
export async function control({ simulator }: Service, path: string, body: object) {
  return request(`${simulator.url}/simulator/${path}`, 'POST', '', body);
}

/** Returns the routes of a workspace for its owner, and those of its API key. */
export function clientsOf(
  { api }: { api: Pick<ChildProcess, 'url'> },
  workspace: { workspaceId: string; sessionToken: string; apiKey: string },
) {
  const base = `${api.url}/api/ui/workspaces/${workspace.workspaceId}`;
  const asOwner = (method: string, path: string, body?: object) =>
    request(base + path, method, `Bearer ${workspace.sessionToken}`, body);
  const asProgram = (method: string, path: string, body?: object) =>
    request(api.url + path, method, `Bearer ${workspace.apiKey}`, body);
  return {
    asOwner,
    asProgram,
    send: async (to: string, body = 'Hello') =>
      (await asProgram('POST', '/api/messages', { to, body })).body,
    read: async (message: unknown) =>
      (await asProgram('GET', `/api/messages/${String(message)}`)).body,
  };
}

/** Returns how many attempts were made to send a message. */
export function countAttempts(message: Record<string, unknown>): number {
  const events = message['events'] as { type: string }[];
  return events.filter(({ type }) => type === 'attempt_started').length;
}
