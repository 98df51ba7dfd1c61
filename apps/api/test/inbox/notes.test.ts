import { note, noteList } from '@switchboard/contracts';
import { QUOTAS } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import { type WorkspaceClient, addPerson, clientOf } from '../workspace-client.ts';
import {
  ADA,
  BOB,
  client,
  eventsPath,
  follow,
  receive,
  service,
  useInbox,
  workspace,
} from './environment.ts';

useInbox();

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
    const responses = await Promise.all([add(), add(), add()]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 403, 403]);
  });
});

const path = `/conversations/${ADA}/notes`;
const write = async (of: WorkspaceClient, json: object) =>
  note.strict().parse((await of(path, { json })).json);

describe('edited notes', () => {
  const edit = (of: WorkspaceClient, id: string, json: object, number = ADA) =>
    of(`/conversations/${number}/notes/${id}`, { method: 'PATCH', json });
  const audit = async () => {
    const entries = (await client('/audit')).json?.['data'] as { action: string; target: string }[];
    return entries.filter(({ action }) => action === 'note.edited').map(({ target }) => target);
  };

  test('when its author edits a note, the text and mentions are replaced, colleagues see the change live, and the edit is audited without the text', async () => {
    const person = await addPerson(service, workspace, 'member');
    await receive(ADA);
    const written = await write(person.client, { body: 'Call', mentions: [workspace.userId] });
    expect(written.edited_at).toBeNull();
    const { frames, close } = await follow(
      eventsPath(workspace.workspaceId),
      workspace.sessionToken,
    );
    const json = { body: 'Call at noon', mentions: [person.userId] };
    const edited = note.strict().parse((await edit(person.client, written.id, json)).json);
    expect(edited).toMatchObject({
      id: written.id,
      body: 'Call at noon',
      mentions: [{ id: person.userId }],
      created_at: written.created_at,
    });
    expect(edited.edited_at).not.toBeNull();
    await expect
      .poll(() => frames.at(-1), EVENTUALLY)
      .toMatchObject({ type: 'note.updated', note: edited });
    close();
    expect(noteList.strict().parse((await client(path)).json).data).toEqual([edited]);
    expect((await client('/mentions')).json?.['data']).toEqual([]);
    // The same edit again changes nothing.
    expect((await edit(person.client, written.id, json)).json).toEqual(edited);
    expect(await audit()).toEqual([ADA]);
    expect(JSON.stringify((await client('/audit')).json)).not.toContain('noon');
  });

  test('an edit of a note reports exactly the members whom it mentions and the note did not mention before', async () => {
    const person = await addPerson(service, workspace, 'member');
    await receive(ADA);
    const { frames, close } = await follow(
      eventsPath(workspace.workspaceId),
      workspace.sessionToken,
    );
    const reported = () =>
      frames.flatMap((frame) => ('note' in frame ? [frame.newly_mentioned ?? []] : []));
    const { id } = await write(client, { body: 'One', mentions: [workspace.userId] });
    // A frame has the state when it is read, so each change waits for the frame of the one before.
    await expect.poll(reported, EVENTUALLY).toEqual([[workspace.userId]]);
    const both = { body: 'Two', mentions: [workspace.userId, person.userId] };
    await edit(client, id, both);
    await expect.poll(reported, EVENTUALLY).toEqual([[workspace.userId], [person.userId]]);
    await edit(client, id, { ...both, body: 'Three' });
    await expect.poll(reported, EVENTUALLY).toEqual([[workspace.userId], [person.userId], []]);
    close();
  });

  test('the author of a note may edit it, an owner may not, and a removed note stays removed', async () => {
    const author = await addPerson(service, workspace, 'member');
    await receive(ADA);
    await receive(BOB);
    const { id } = await write(author.client, { body: 'Mine' });
    const json = { body: 'Yours' };
    expectRefusal(await edit(client, id, json), 403, 'forbidden', /only the author of a note may/);
    expectRefusal(await edit(author.client, id, json, BOB), 404, 'not_found');
    expectRefusal(await edit(author.client, id, { body: ' ' }), 400, 'invalid_params', /`body`/);
    await client(`${path}/${id}`, { method: 'DELETE' });
    expectRefusal(await edit(author.client, id, json), 404, 'not_found');
    const { data } = noteList.strict().parse((await client(path)).json);
    expect(data.map(({ body }) => body)).toEqual(['']);
    expect(await audit()).toEqual([]);
  });

  test('an edit keeps the mention of a member who has left, and adds only members', async () => {
    const leaver = await addPerson(service, workspace, 'member');
    const stranger = await service.addWorkspace();
    await receive(ADA);
    const { id } = await write(client, { body: 'Ask @Person', mentions: [leaver.userId] });
    expect((await client(`/members/${leaver.userId}`, { method: 'DELETE' })).status).toBe(200);
    const kept = await edit(client, id, { body: 'Ask @Person!', mentions: [leaver.userId] });
    expect(kept.json).toMatchObject({ mentions: [{ id: leaver.userId }] });
    const added = { body: 'x', mentions: [leaver.userId, stranger.userId] };
    expectRefusal(await edit(client, id, added), 400, 'invalid_params', /`mentions`/);
  });
});

describe('removed notes', () => {
  const remove = (of: WorkspaceClient, id: string, number = ADA) =>
    of(`/conversations/${number}/notes/${id}`, { method: 'DELETE' });
  const audit = async () => {
    const entries = (await client('/audit')).json?.['data'] as { action: string; detail: object }[];
    return entries.filter(({ action }) => action === 'note.removed').map(({ detail }) => detail);
  };

  test('when its author removes a note, the text and the mentions are gone, even from the live views of colleagues', async () => {
    const person = await addPerson(service, workspace, 'member');
    await receive(ADA);
    const { id } = await write(person.client, { body: 'Secret', mentions: [workspace.userId] });
    await write(client, { body: 'Stays' });
    const { frames, close } = await follow(
      eventsPath(workspace.workspaceId),
      workspace.sessionToken,
    );
    const removed = note.strict().parse((await remove(person.client, id)).json);
    expect(removed).toMatchObject({ id, body: '', mentions: [], author: { name: 'Person' } });
    expect(removed.removed_at).not.toBeNull();
    await expect
      .poll(() => frames.at(-1), EVENTUALLY)
      .toMatchObject({
        type: 'note.updated',
        note: { id, body: '', removed_at: removed.removed_at },
      });
    close();
    const { data } = noteList.strict().parse((await client(path)).json);
    expect(data.map(({ body, removed_at }) => [body, removed_at !== null])).toEqual([
      ['Stays', false],
      ['', true],
    ]);
    expect((await client('/mentions')).json?.['data']).toEqual([]);
    const stored = await service.sql('SELECT body FROM notes WHERE id = $1', [id]);
    expect(JSON.stringify(stored)).not.toContain('Secret');
    // A repeated request changes nothing.
    expect((await remove(person.client, id)).json).toEqual(removed);
    expect(await audit()).toEqual([]);
  });

  test('an owner may remove the note of another member, which is audited, but a member may not', async () => {
    const author = await addPerson(service, workspace, 'member');
    const other = await addPerson(service, workspace, 'member');
    await receive(ADA);
    const { id } = await write(author.client, { body: 'Mine' });
    expectRefusal(
      await remove(other.client, id),
      403,
      'forbidden',
      /only the author of a note or an owner/,
    );
    expect((await remove(client, id)).status).toBe(200);
    expect(await audit()).toEqual([{ author: 'Person' }]);
  });

  test('a note of another conversation or workspace cannot be removed', async () => {
    await receive(ADA);
    await receive(BOB);
    const { id } = await write(client, { body: 'Here' });
    expectRefusal(await remove(client, id, BOB), 404, 'not_found');
    const stranger = await service.addWorkspace();
    const theirs = clientOf(service, stranger, stranger.sessionToken);
    expectRefusal(await remove(theirs, id), 404, 'not_found');
    expect(noteList.parse((await client(path)).json).data[0]?.body).toBe('Here');
  });
});
