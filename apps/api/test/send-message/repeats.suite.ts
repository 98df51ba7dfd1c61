import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { TO, read, send, service, workspace } from './environment.ts';

export function describeRepeats(): void {
  describe('messages that repeat another', () => {
    test('a repeat names the first message, which lists its repeats, newest first', async () => {
      const ids: unknown[] = [];
      const body = 'Once more';
      for (const repeat_of of [undefined, 0, 1]) {
        const sent = await send({
          to: TO,
          body,
          ...(repeat_of !== undefined && { repeat_of: ids[repeat_of] }),
        });
        expect(sent.status).toBe(201);
        ids.push(sent.json?.['id']);
      }
      const [first, second, third] = await Promise.all(ids.map((id) => read(id)));
      expect([first?.['repeat_of'], second?.['repeat_of'], third?.['repeat_of']]).toEqual([
        null,
        ids[0],
        ids[0],
      ]);
      expect(first?.['repeated_as']).toEqual(
        [third, second].map((repeat) => ({
          id: repeat?.['id'],
          status: repeat?.['status'],
          created_at: repeat?.['created_at'],
        })),
      );
      expect(second?.['repeated_as']).toEqual([]);
    });

    test('a new message in the same batch as a repeat is not stored as a repeat', async () => {
      const first = await send({ to: TO, body: 'First' });
      const sent = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          send({ to: TO, body: `${n}`, ...(n % 2 === 0 && { repeat_of: first.json?.['id'] }) }),
        ),
      );
      const stored = await Promise.all(sent.map(({ json }) => read(json?.['id'])));
      expect(stored.map((message) => message['repeat_of'])).toEqual(
        sent.map((_, n) => (n % 2 === 0 ? first.json?.['id'] : null)),
      );
    });

    test('only an outbound message of the workspace can be repeated', async () => {
      const other = await service.addWorkspace();
      const theirs = await ask(service.url, '/api/messages', {
        token: other.apiKey,
        json: { to: TO, body: 'x' },
      });
      const [received] = await service.sql<{ id: string }>(
        `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
           created_at, updated_at, dispatch)
         VALUES (uuid_v7(now()), $1, 'inbound', $2, $3, 'x', 1, 'received', now(), now(), 'accepted')
         RETURNING id`,
        [workspace.workspaceId, workspace.from, TO],
      );
      for (const repeat_of of [theirs.json?.['id'], received?.id, 'SM1', '', 5]) {
        const response = await send({ to: TO, body: 'x', repeat_of });
        expectRefusal(response, 400, 'invalid_params', /^`repeat_of` must/);
      }
    });

    test('a repeat retried with its Idempotency-Key gets the same response after the first message is deleted', async () => {
      const first = await send({ to: TO, body: 'x' });
      const json = { to: TO, body: 'x', repeat_of: first.json?.['id'] };
      const headers = { 'idempotency-key': 'a repeat' };
      const sent = await send(json, headers);
      await service.sql('DELETE FROM message_records WHERE id = $1', [first.json?.['id']]);
      const again = await send(json, headers);
      expect([again.status, again.json]).toEqual([201, sent.json]);
      const changed = await send({ to: TO, body: 'x' }, headers);
      expectRefusal(changed, 400, 'idempotency_key_reused');
      expect(await read(sent.json?.['id'])).toMatchObject({ repeat_of: first.json?.['id'] });
    });
  });
}
