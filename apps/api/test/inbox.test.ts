import { once } from 'node:events';
import {
  type EventFrame,
  type InboxFrame,
  conversation,
  conversationList,
  note,
  noteList,
} from '@switchboard/contracts';
import { QUOTAS } from '@switchboard/core';
import type { WorkspaceFixture } from '@switchboard/testing';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { callBack } from './call-back.ts';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, addPerson, clientOf } from './workspace-client.ts';

type Frame = EventFrame | InboxFrame;

const ADA = '+15551110001';
const BOB = '+15551110002';

let service: Service;
let workspace: WorkspaceFixture;
let client: WorkspaceClient;
let received = 0;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
  client = clientOf(service, workspace, workspace.sessionToken);
});

async function receive(From: string, Body = 'Hello'): Promise<void> {
  received += 1;
  const MessageSid = `SM${String(received).padStart(32, '0')}`;
  const fields = { MessageSid, From, To: workspace.from, Body };
  const answer = await callBack(service.url, workspace, fields, { kind: 'inbound' });
  expect(answer.status).toBe(200);
}

const send = (to: string) =>
  ask(service.url, '/api/messages', { token: workspace.apiKey, json: { to, body: 'Hi' } });

async function list(query = '') {
  const answer = await client(`/conversations${query}`);
  return conversationList.strict().parse(answer.json);
}
const numbersOf = async (query = '') => (await list(query)).data.map(({ number }) => number);

async function change(number: string, json: object) {
  const answer = await client(`/conversations/${number}`, { method: 'PATCH', json });
  return conversation.strict().parse(answer.json);
}

async function read(number: string, json: object = {}) {
  const answer = await client(`/conversations/${number}/read`, { json });
  return conversation.strict().parse(answer.json);
}

describe('conversations in the inbox', () => {
  test('received messages are unread until a member reads them, and sent ones never are', async () => {
    await receive(ADA);
    await receive(ADA);
    await send(BOB);
    const unread = async () =>
      (await list()).data.map(({ number, unread_count }) => [number, unread_count]);
    expect(await unread()).toEqual([
      [BOB, 0],
      [ADA, 2],
    ]);
    expect(await numbersOf('?unread=true')).toEqual([ADA]);

    const shown = (await client(`/conversations/${ADA}`)).json as { last_message: { id: string } };
    await receive(ADA, 'After the page was shown');
    expect((await read(ADA, { message_id: shown.last_message.id })).unread_count).toBe(1);
    expect((await read(ADA)).unread_count).toBe(0);
    // An older position does not make messages unread again.
    expect((await read(ADA, { message_id: shown.last_message.id })).unread_count).toBe(0);
    await receive(ADA);
    expect(
      (await read(ADA, { message_id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' })).unread_count,
    ).toBe(0);
    await receive(ADA);
    expect(await numbersOf('?unread=true')).toEqual([ADA]);
  });

  test('messages that are older than the inbox count as read', async () => {
    await receive(ADA);
    await service.sql(
      `UPDATE workspaces SET inbox_since = uuid_v7(now() + interval '1 second')
      WHERE id = $1`,
      [workspace.workspaceId],
    );
    expect((await list()).data[0]?.unread_count).toBe(0);
  });

  test('a received message opens a closed conversation, and a sent one does not', async () => {
    await receive(ADA);
    await receive(BOB);
    expect((await change(ADA, { state: 'closed' })).state).toBe('closed');
    await send(ADA);
    expect([await numbersOf('?state=open'), await numbersOf('?state=closed')]).toEqual([
      [BOB],
      [ADA],
    ]);
    await receive(ADA);
    expect(await numbersOf('?state=open')).toEqual([ADA, BOB]);
    expect((await change(ADA, { state: 'closed' })).state).toBe('closed');
    expect((await change(ADA, { state: 'open' })).state).toBe('open');
  });

  test('conversations are listed by their assignee, who must be a member', async () => {
    const person = await addPerson(service, workspace, 'member');
    for (const number of [ADA, BOB]) await receive(number);
    const changed = await change(ADA, { assignee_id: workspace.userId });
    expect(changed).toMatchObject({ assignee: { id: workspace.userId }, state: 'open' });
    expect(await numbersOf('?assignee=me')).toEqual([ADA]);
    expect(await numbersOf('?assignee=none')).toEqual([BOB]);

    await change(ADA, { assignee_id: person.userId, state: 'closed' });
    expect(await numbersOf(`?assignee=${person.userId}&state=closed`)).toEqual([ADA]);
    expect(await numbersOf('?assignee=me')).toEqual([]);
    await change(ADA, { state: 'open' });
    expect(await numbersOf(`?assignee=${person.userId}`)).toEqual([ADA]);

    const stranger = await service.addWorkspace();
    const path = `/conversations/${ADA}`;
    const refused = await client(path, { method: 'PATCH', json: { assignee_id: stranger.userId } });
    expectRefusal(refused, 400, 'invalid_params', /`assignee_id`/);
    await client(`/members/${person.userId}`, { method: 'DELETE' });
    expect(await numbersOf('?assignee=none')).toEqual([BOB, ADA]);
  });

  test('a search finds contacts by their words and numbers by their digits', async () => {
    for (const number of [ADA, BOB]) await receive(number);
    await client('/contacts', { json: { number: ADA, name: 'Ada Lovelace', tags: ['vip'] } });
    const [found] = (await list('?search=lovelace%20vip')).data;
    expect(found).toMatchObject({ number: ADA, contact: { name: 'Ada Lovelace' } });
    expect(await numbersOf('?search=(555)%20111-0002')).toEqual([BOB]);
    expect(await numbersOf('?search=5551110')).toEqual([BOB, ADA]);
    expect(await numbersOf('?search=nothing')).toEqual([]);
    await change(ADA, { assignee_id: workspace.userId });
    await change(BOB, { assignee_id: workspace.userId });
    expect(await numbersOf('?search=lovelace&assignee=me')).toEqual([ADA]);
  });

  test('a number without messages has no conversation', async () => {
    const path = `/conversations/${ADA}`;
    for (const answer of [
      await client(path),
      await client(path, { method: 'PATCH', json: { state: 'closed' } }),
      await client(`${path}/read`, { json: {} }),
      await client(`${path}/notes`),
      await client(`${path}/notes`, { json: { body: 'Note' } }),
    ]) {
      expectRefusal(answer, 404, 'not_found');
    }
  });

  test('filtered pages continue where the previous one ended', async () => {
    await service.sql(
      `INSERT INTO messages (id, workspace_id, direction, "to", "from", body, segments, status,
         created_at, updated_at, dispatch)
       SELECT uuid_v7(at), $1, 'inbound', $2, '+1555' || (2000000 + n), 'Text', 1, 'received', at, at,
         'accepted'
       FROM generate_series(0, 119) n, LATERAL (SELECT now() - n * interval '1 minute' AS at) t`,
      [workspace.workspaceId, workspace.from],
    );
    await service.sql(
      `INSERT INTO conversations (workspace_id, number, assignee_id, updated_at)
       SELECT $1, '+1555' || (2000000 + n), $2, now() FROM generate_series(0, 119, 2) n`,
      [workspace.workspaceId, workspace.userId],
    );
    for (const [assignee, first] of [
      ['me', 0],
      ['none', 1],
    ] as const) {
      const page = await list(`?assignee=${assignee}`);
      const rest = await list(`?assignee=${assignee}&after=${page.next}`);
      const all = [...page.data, ...rest.data].map(({ number }) => number);
      expect(all).toEqual(
        Array.from({ length: 60 }, (_, n) => `+1555${String(2_000_000 + first + 2 * n)}`),
      );
      expect(rest.next).toBeNull();
    }
  });
});

describe('notes', () => {
  test('a member lists the notes that mention them, of every conversation, newest first', async () => {
    const person = await addPerson(service, workspace, 'member');
    const add = (number: string, body: string, mentions: string[]) =>
      client(`/conversations/${number}/notes`, { json: { body, mentions } });
    for (const number of [ADA, BOB]) await receive(number);
    await add(ADA, 'First', [person.userId]);
    await add(BOB, 'Second', [person.userId, workspace.userId]);
    await add(BOB, 'Mentions no member', []);
    const mentions = async (of: WorkspaceClient) =>
      noteList
        .strict()
        .parse((await of('/mentions')).json)
        .data.map(({ number, body }) => [number, body]);
    expect(await mentions(person.client)).toEqual([
      [BOB, 'Second'],
      [ADA, 'First'],
    ]);
    expect(await mentions(client)).toEqual([[BOB, 'Second']]);
    const other = await service.addWorkspace();
    expect(await mentions(clientOf(service, other, other.sessionToken))).toEqual([]);
  });

  test('members read notes about a conversation, newest first, with the members that they mention', async () => {
    const person = await addPerson(service, workspace, 'member');
    await receive(ADA);
    const path = `/conversations/${ADA}/notes`;
    const first = await client(path, { json: { body: 'Call back', mentions: [person.userId] } });
    expect(first.status).toBe(201);
    expect(note.strict().parse(first.json)).toMatchObject({
      author: { id: workspace.userId },
      mentions: [{ id: person.userId, name: 'Person' }],
    });
    await person.client(path, { json: { body: 'Done' } });
    const notes = noteList.strict().parse((await client(path)).json);
    expect(notes.data.map(({ body, author }) => [body, author?.name])).toEqual([
      ['Done', 'Person'],
      ['Call back', 'Owner'],
    ]);
    const stranger = await service.addWorkspace();
    const json = { body: 'x', mentions: [stranger.userId] };
    expectRefusal(await client(path, { json }), 400, 'invalid_params', /`mentions`/);
    expectRefusal(await client(path, { json: { body: ' ' } }), 400, 'invalid_params', /`body`/);
  });

  test('a conversation cannot exceed its quota of notes', async () => {
    await receive(ADA);
    await service.sql(
      `INSERT INTO notes (id, workspace_id, number, body, created_at)
       SELECT uuid_v7(now()), $1, $2, 'Note', now() FROM generate_series(1, $3::int)`,
      [workspace.workspaceId, ADA, QUOTAS.notesPerConversation - 1],
    );
    const add = () => client(`/conversations/${ADA}/notes`, { json: { body: 'More' } });
    const answers = await Promise.all([add(), add(), add()]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 403, 403]);
  });
});

describe('frames', () => {
  async function follow(path: string, token: string) {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(service.url.replace('http', 'ws') + path, { headers });
    const frames: Frame[] = [];
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame));
    await once(socket, 'open');
    await expect.poll(() => frames.length, EVENTUALLY).toBeGreaterThan(0);
    return { frames, close: () => socket.close() };
  }

  test('sessions of the workspace receive changed conversations and new notes, but API keys do not', async () => {
    await receive(ADA);
    const other = await service.addWorkspace();
    const ui = (id: string) => `/api/ui/workspaces/${id}/events`;
    const ours = await follow(ui(workspace.workspaceId), workspace.sessionToken);
    const key = await follow('/api/events', workspace.apiKey);
    const theirs = await follow(ui(other.workspaceId), other.sessionToken);
    await change(ADA, { state: 'closed' });
    await client(`/conversations/${ADA}/notes`, { json: { body: 'Called' } });
    await read(ADA);
    // No message is unread any more, so nothing has changed.
    await read(ADA);
    await receive(ADA);
    const types = (frames: Frame[]) => frames.map(({ type }) => type);
    await expect
      .poll(() => types(ours.frames), EVENTUALLY)
      .toEqual([
        'ready',
        'conversation.updated',
        'note.created',
        'conversation.updated',
        'message.created',
      ]);
    expect(ours.frames[1]).toMatchObject({
      workspace_id: workspace.workspaceId,
      conversation: { number: ADA, state: 'closed', unread_count: 1 },
    });
    expect(ours.frames[2]).toMatchObject({ note: { number: ADA, body: 'Called' } });
    expect(ours.frames[3]).toMatchObject({ conversation: { unread_count: 0 } });
    await expect.poll(() => types(key.frames), EVENTUALLY).toEqual(['ready', 'message.created']);
    expect(types(theirs.frames)).toEqual(['ready']);
    for (const { close } of [ours, key, theirs]) close();
  });
});
