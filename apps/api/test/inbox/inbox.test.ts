import { conversation, conversationList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import { addPerson } from '../workspace-client.ts';
import {
  ADA,
  BOB,
  client,
  eventsPath,
  follow,
  receive,
  send,
  service,
  useInbox,
  workspace,
} from './environment.ts';

useInbox();

async function list(query = '') {
  const response = await client(`/conversations${query}`);
  return conversationList.strict().parse(response.json);
}
const numbersOf = async (query = '') => (await list(query)).data.map(({ number }) => number);

async function change(number: string, json: object) {
  const response = await client(`/conversations/${number}`, { method: 'PATCH', json });
  return conversation.strict().parse(response.json);
}

async function read(number: string, json: object = {}) {
  const response = await client(`/conversations/${number}/read`, { json });
  return conversation.strict().parse(response.json);
}

describe('conversations in the inbox', () => {
  test('received messages are unread until a member reads them, and sent messages are never unread', async () => {
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

  test('only the last received message can be marked as unread', async () => {
    await receive(ADA);
    await receive(ADA, 'The last one');
    await send(BOB);
    const unread = async (number: string) => {
      const response = await client(`/conversations/${number}/unread`, { method: 'POST' });
      return conversation.strict().parse(response.json).unread_count;
    };
    // Two are unread and remain so.
    expect(await unread(ADA)).toBe(2);
    await read(ADA);
    expect([await unread(ADA), await unread(ADA)]).toEqual([1, 1]);
    expect(await numbersOf('?unread=true')).toEqual([ADA]);
    expect((await read(ADA)).unread_count).toBe(0);
    // Nothing was received from this number.
    expect(await unread(BOB)).toBe(0);
    const unknown = await client('/conversations/+15551110009/unread', { method: 'POST' });
    expectRefusal(unknown, 404, 'not_found');
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

  test('a received message reopens a closed conversation, but a sent message does not', async () => {
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
    for (const response of [
      await client(path),
      await client(path, { method: 'PATCH', json: { state: 'closed' } }),
      await client(`${path}/read`, { json: {} }),
      await client(`${path}/notes`),
      await client(`${path}/notes`, { json: { body: 'Note' } }),
    ]) {
      expectRefusal(response, 404, 'not_found');
    }
  });

  test('each filtered page continues where the previous page ended', async () => {
    await service.sql(
      `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
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

describe('frames', () => {
  test('sessions of the workspace receive changed conversations and new notes, but API keys do not', async () => {
    await receive(ADA);
    const other = await service.addWorkspace();
    const ours = await follow(eventsPath(workspace.workspaceId), workspace.sessionToken);
    const key = await follow('/api/events', workspace.apiKey);
    const theirs = await follow(eventsPath(other.workspaceId), other.sessionToken);
    // A frame has the state when it is read, so each change waits for the frame of the one before.
    const untilReceived = async (count: number): Promise<void> => {
      await expect.poll(() => ours.frames.length, EVENTUALLY).toBe(count);
    };
    await change(ADA, { state: 'closed' });
    await untilReceived(2);
    await client(`/conversations/${ADA}/notes`, { json: { body: 'Called' } });
    await untilReceived(3);
    await read(ADA);
    await untilReceived(4);
    // No message is unread now, so nothing has changed.
    await read(ADA);
    await receive(ADA);
    const types = (frames: { type: string }[]) => frames.map(({ type }) => type);
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

  test('only the frame of an assignment names the user who assigned the conversation', async () => {
    await receive(ADA);
    const { frames, close } = await follow(
      eventsPath(workspace.workspaceId),
      workspace.sessionToken,
    );
    await change(ADA, { assignee_id: workspace.userId });
    await change(ADA, { state: 'closed' });
    await change(ADA, { assignee_id: null });
    const by = () => frames.flatMap((frame) => ('assigned_by' in frame ? [frame.assigned_by] : []));
    await expect.poll(by, EVENTUALLY).toEqual([workspace.userId, null, workspace.userId]);
    close();
  });
});
