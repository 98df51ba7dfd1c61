import { type Server, type Socket, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { testWorkspaceOf } from '@switchboard/core';
import type { WorkspaceFixture } from '@switchboard/testing';
import { expect } from 'vitest';
import { type Service, ask } from '../start-service.ts';

/** A listener in the place of every vendor's API. It counts the connections that it gets. */
export interface VendorTrap {
  /** Settings that replace the vendors' APIs. */
  env: Record<string, string>;
  connections(): number;
  close(): Promise<void>;
}

export async function startVendorTrap(): Promise<VendorTrap> {
  let connections = 0;
  const server: Server = createServer((socket: Socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { TWILIO_API_URL: url, TELNYX_API_URL: url, VONAGE_API_URL: url },
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A key of test mode, and the workspace that it acts in. */
export interface TestKey {
  key: string;
  workspaceId: string;
}

export async function addTestKey(
  service: Pick<Service, 'url'>,
  { workspaceId, sessionToken }: Pick<WorkspaceFixture, 'workspaceId' | 'sessionToken'>,
): Promise<TestKey> {
  const created = await ask(service.url, `/api/ui/workspaces/${workspaceId}/api-keys`, {
    token: sessionToken,
    json: { name: 'Continuous integration', mode: 'test' },
  });
  expect([created.status, created.text]).toEqual([201, expect.stringContaining('"mode":"test"')]);
  return { key: String(created.json?.['key']), workspaceId: testWorkspaceOf(workspaceId) };
}
