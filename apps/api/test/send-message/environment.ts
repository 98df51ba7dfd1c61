import { afterAll, beforeAll, expect } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type ApiResponse, type Service, ask, startService } from '../start-service.ts';

export const TO = '+15551230001';

export let service: Service;
export let workspace: WorkspaceFixture;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useSendingService(): void {
  beforeAll(async () => {
    service = await startService({
      env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000' },
    });
    workspace = await service.addWorkspace();
  });

  afterAll(() => service.close());
}

/** The bodies that `send` sent in vain, with the errors that they got. */
export const refusedSends: { json: unknown; error: unknown }[] = [];

export async function send(
  json: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const options = { token: workspace.apiKey, json, headers };
  const response = await ask(service.url, '/api/messages', options);
  if (response.status >= 400 && Object.keys(headers).length === 0) {
    refusedSends.push({ json, error: response.json });
  }
  return response;
}

export async function read(id: unknown): Promise<Record<string, unknown>> {
  const response = await ask(service.url, `/api/messages/${String(id)}`, {
    token: workspace.apiKey,
  });
  expect(response.status).toBe(200);
  return response.json ?? {};
}

export const countMessages = () => service.countRows('messages');
