import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  type ApiResponse,
  type BACKENDS,
  type Service,
  ask,
  startService,
} from '../start-service.ts';

export const TO = '+15551230001';

export type Environment = ReturnType<typeof openEnvironment>;

/** Two API processes on a backend, and a workspace that sends with and without Idempotency-Keys. */
export function openEnvironment(backend: (typeof BACKENDS)[number]) {
  let service: Service;
  let workspace: WorkspaceFixture;
  let keys = 0;

  beforeAll(async () => {
    service = await startService({
      backend,
      apis: 2,
      env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000', SWEEP_MS: '60000' },
    });
    workspace = await service.addWorkspace();
  });
  afterAll(() => service.close());

  return {
    get service() {
      return service;
    },
    get workspace() {
      return workspace;
    },
    newKey: () => `key-${(keys += 1)}`,
    countMessages: () => service.countRows('messages'),

    send(
      key: string | null,
      json: unknown = { to: TO, body: 'once' },
      options: { headers?: Record<string, string>; api?: number; token?: string } = {},
    ): Promise<ApiResponse> {
      return ask(service.apis[options.api ?? 0]?.url ?? '', '/api/messages', {
        token: options.token ?? workspace.apiKey,
        json,
        headers: { ...(key !== null && { 'idempotency-key': key }), ...options.headers },
      });
    },
  };
}

export function expectReplay(response: ApiResponse, first: ApiResponse): void {
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect([response.status, response.text]).toEqual([201, first.text]);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
}
