import { once } from 'node:events';
import type { EventFrame, InboxFrame } from '@switchboard/contracts';
import { EVENTUALLY, type WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { WebSocket } from 'ws';
import { callBack } from '../call-back.ts';
import { type Service, ask, shareService } from '../start-service.ts';
import { type WorkspaceClient, clientOf } from '../workspace-client.ts';

export const ADA = '+15551110001';
export const BOB = '+15551110002';

export let service: Service;
export let workspace: WorkspaceFixture;
/** Sends requests as the owner of the workspace. */
export let client: WorkspaceClient;
let received = 0;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useInbox(): void {
  beforeAll(async () => {
    service = await shareService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    workspace = await service.addWorkspace();
    client = clientOf(service, workspace, workspace.sessionToken);
  });
}

export async function receive(From: string, Body = 'Hello'): Promise<void> {
  received += 1;
  const MessageSid = `SM${String(received).padStart(32, '0')}`;
  const fields = { MessageSid, From, To: workspace.from, Body };
  const response = await callBack(service.url, workspace, fields, { kind: 'inbound' });
  expect(response.status).toBe(200);
}

export const send = (to: string) =>
  ask(service.url, '/api/messages', { token: workspace.apiKey, json: { to, body: 'Hi' } });

/** Opens a WebSocket and collects its frames. */
export async function follow(path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(service.url.replace('http', 'ws') + path, { headers });
  const frames: (EventFrame | InboxFrame)[] = [];
  socket.on('message', (data: Buffer) =>
    frames.push(JSON.parse(data.toString()) as EventFrame | InboxFrame),
  );
  await once(socket, 'open');
  await expect.poll(() => frames.length, EVENTUALLY).toBeGreaterThan(0);
  return { frames, close: () => socket.close() };
}

export const eventsPath = (workspaceId: string): string =>
  `/api/ui/workspaces/${workspaceId}/events`;
