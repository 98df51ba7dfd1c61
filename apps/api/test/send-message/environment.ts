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

export function send(json: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return ask(service.url, '/api/messages', { token: workspace.apiKey, json, headers });
}

export async function read(id: unknown): Promise<Record<string, unknown>> {
  const response = await ask(service.url, `/api/messages/${String(id)}`, {
    token: workspace.apiKey,
  });
  expect(response.status).toBe(200);
  return response.json ?? {};
}

export const countMessages = () => service.countRows('messages');
