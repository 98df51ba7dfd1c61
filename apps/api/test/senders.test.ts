import { once } from 'node:events';
import { EVENTUALLY, type WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { callBack } from './call-back.ts';
import { type Service, ask, shareService } from './start-service.ts';
import { clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  service = await shareService();
  workspace = await service.addWorkspace();
});
afterAll(() => service.close());

const TO = '+15557654321';
const byUser = (json: object) =>
  clientOf(service, workspace, workspace.sessionToken)('/messages', { json });

async function senderOf(id: unknown): Promise<unknown> {
  const { json } = await ask(service.url, `/api/messages/${String(id)}`, {
    token: workspace.apiKey,
  });
  return json?.['sent_by'];
}

async function lastSenderTo(to: string): Promise<unknown> {
  const { json } = await ask(service.url, `/api/messages?to=${encodeURIComponent(to)}`, {
    token: workspace.apiKey,
  });
  const messages = json?.['messages'] as { sent_by: unknown }[];
  return messages[0]?.sent_by;
}

test('a message names the API key or the user that sent it', async () => {
  const key = { type: 'api_key', id: workspace.apiKeyId, name: 'Test' };
  const user = { type: 'user', id: workspace.userId, name: 'Owner' };
  const json = { to: TO, body: 'Hello' };
  const sent = await ask(service.url, '/api/messages', { token: workspace.apiKey, json });
  expect(await senderOf(sent.json?.['id'])).toEqual(key);
  expect(await lastSenderTo(TO)).toEqual(key);
  const sentByUser = await byUser(json);
  expect(await senderOf(sentByUser.json?.['id'])).toEqual(user);
  expect(await lastSenderTo(TO)).toEqual(user);
});

test('a keyword reply names the inbound message that it answers, which itself has no sender', async () => {
  const from = '+15557650001';
  const fields = { From: from, To: workspace.from, Body: 'help', NumMedia: '0' };
  const sid = `SM${'4'.repeat(32)}`;
  await callBack(service.url, workspace, { MessageSid: sid, ...fields }, { kind: 'inbound' });
  const { json: received } = await ask(service.url, `/api/messages/${sid}`, {
    token: workspace.apiKey,
  });
  expect(received).toMatchObject({ direction: 'inbound', sent_by: null });
  expect(await lastSenderTo(from)).toEqual({
    type: 'keyword_reply',
    id: received?.['id'],
    name: 'HELP',
  });
});

test('a message without a recorded sender is returned with null as its sender', async () => {
  const { json } = await byUser({ to: TO, body: 'Hello' });
  await service.sql('UPDATE message_records SET sent_by = NULL, sent_by_id = NULL WHERE id = $1', [
    json?.['id'],
  ]);
  expect(await senderOf(json?.['id'])).toBeNull();
});

test('a WebSocket frame names the sender of its message', async () => {
  const frames: { type: string; message?: { sent_by: unknown } }[] = [];
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/events`, [
    'messaging.v1',
    `bearer.${workspace.apiKey}`,
  ]);
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  await byUser({ to: TO, body: 'Hello' });
  await vi.waitUntil(() => frames.length > 1, EVENTUALLY);
  expect(frames[1]).toMatchObject({
    type: 'message.created',
    message: { sent_by: { type: 'user', id: workspace.userId, name: 'Owner' } },
  });
  socket.close();
  await once(socket, 'close');
});
