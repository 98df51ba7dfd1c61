import { describe, expect, test } from 'vitest';
import { ask, expectRefusal, upwards } from '../start-service.ts';
import { service, workspace, rows } from './environment.ts';

export function describeSingleMessage(): void {
  describe('a single message', () => {
    const post = (json: object) =>
      ask(service.url, '/api/messages', { token: workspace.apiKey, json });
    const get = (id: unknown) =>
      ask(service.url, `/api/messages/${String(id)}`, { token: workspace.apiKey });
    const cancel = (id: unknown) =>
      ask(service.url, `/api/messages/${String(id)}/cancel`, {
        method: 'POST',
        token: workspace.apiKey,
      });
    const later = new Date(Date.now() + 3_600_000).toISOString();

    test('a message is found by its id in any case and by its provider_sid', async () => {
      const { json } = await post({ to: '+15550001111', body: 'find me' });
      const id = String(json?.['id']);
      expect((await get(id)).json?.['id']).toBe(id);
      expect((await get(id.toUpperCase())).json?.['id']).toBe(id);
      await service.updateMessages({
        set: `provider_sid = 'SMfound', vendor_account_id = 'AC1'`,
        where: 'id = $1',
        values: [id],
      });
      const bySid = await get('SMfound');
      expect(bySid.json).toMatchObject({ id, provider_sid: 'SMfound' });
      expectRefusal(await get('smfound'), 404, 'not_found');
    });

    test('a waiting message can be canceled once', async () => {
      for (const json of [{ scheduled_at: later }, {}]) {
        const sent = await post({ to: '+15550001111', body: 'cancel me', ...json });
        const canceled = await cancel(sent.json?.['id']);
        expect(canceled.status).toBe(200);
        expect(canceled.json).toMatchObject({
          id: sent.json?.['id'],
          status: 'canceled',
          body: 'cancel me',
        });
        expect(canceled.json).not.toHaveProperty('events');
        expectRefusal(await cancel(sent.json?.['id']), 400, 'invalid_state');
        const events = (await get(sent.json?.['id'])).json?.['events'] as {
          type: string;
          status: string;
        }[];
        expect(events.map(({ type, status }) => [type, status])).toEqual([
          [
            json.scheduled_at === undefined ? 'created' : 'scheduled',
            json.scheduled_at === undefined ? 'queued' : 'scheduled',
          ],
          ['canceled', 'canceled'],
        ]);
      }
    });

    test('of concurrent requests to cancel a message, exactly one succeeds', async () => {
      const sent = await post({ to: '+15550001111', body: 'race', scheduled_at: later });
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => cancel(sent.json?.['id'])),
      );
      expect(responses.map(({ status }) => status).toSorted(upwards)).toEqual([
        200,
        ...Array.from({ length: 9 }, () => 400),
      ]);
    });

    test.each(['inflight', 'accepted', 'rejected', 'unknown', 'unresolved'])(
      'a message in the dispatch state %s cannot be canceled',
      async (dispatch) => {
        const sent = await post({ to: '+15550001111', body: 'Too late' });
        await service.updateMessages({
          set: 'dispatch = $2::dispatch_state',
          where: 'id = $1',
          values: [sent.json?.['id'], dispatch],
        });
        expectRefusal(await cancel(sent.json?.['id']), 400, 'invalid_state');
        expect((await get(sent.json?.['id'])).json?.['status']).toBe('queued');
      },
    );

    test('a session can cancel a message, and an inbound message cannot be canceled', async () => {
      const sent = await post({ to: '+15550001111', body: 'by session', scheduled_at: later });
      const path = `/api/ui/workspaces/${workspace.workspaceId}/messages/${String(sent.json?.['id'])}`;
      const canceled = await ask(service.url, `${path}/cancel`, {
        method: 'POST',
        token: workspace.sessionToken,
      });
      expect(canceled.json).toMatchObject({ status: 'canceled' });
      expect((await ask(service.url, path, { token: workspace.sessionToken })).json).toMatchObject({
        status: 'canceled',
        events: [{ type: 'scheduled' }, { type: 'canceled' }],
      });
      const inbound = rows.find(({ direction }) => direction === 'inbound');
      expectRefusal(await cancel(inbound?.id), 400, 'invalid_state');
    });
  });
}
