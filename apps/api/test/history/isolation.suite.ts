import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { service, workspace, other, rows, list, read, idsOf } from './environment.ts';

export function describeIsolation(): void {
  describe('isolation of workspaces in the history', () => {
    test('a session and an API key of a workspace read the same history', async () => {
      for (const query of ['', '?limit=7&page=3', '?direction=inbound&startDate=2026-03-04']) {
        const path = `/api/ui/workspaces/${workspace.workspaceId}/messages${query}`;
        const { json, status } = await ask(service.url, path, { token: workspace.sessionToken });
        expect(status).toBe(200);
        expect(json).toEqual((await list(query)).json);
      }
    });

    test("no filter, identifier or credential shows another workspace's messages", async () => {
      const own = new Set(idsOf(rows));
      for (const query of [
        '?limit=100',
        `?limit=100&workspaceId=${other.workspaceId}`,
        '?limit=100&to=%2B15550000002',
      ]) {
        expect((await read(query)).messages.every(({ id }) => own.has(id))).toBe(true);
      }
      const [foreign] = await service.sql<{ id: string }>(
        'SELECT min(id::text)::uuid AS id FROM messages WHERE workspace_id = $1',
        [other.workspaceId],
      );
      await service.updateMessages({
        set: `provider_sid = 'SMforeign', vendor_account_id = 'AC'`,
        where: 'id = $1',
        values: [foreign?.id],
      });
      for (const id of [foreign?.id, 'SMforeign']) {
        const ways = [
          [`/api/messages/${id}`, 'GET', workspace.apiKey],
          [`/api/messages/${id}/cancel`, 'POST', workspace.apiKey],
          [
            `/api/ui/workspaces/${workspace.workspaceId}/messages/${id}`,
            'GET',
            workspace.sessionToken,
          ],
          [
            `/api/ui/workspaces/${workspace.workspaceId}/messages/${id}/cancel`,
            'POST',
            workspace.sessionToken,
          ],
        ] as const;
        for (const [path, method, token] of ways) {
          expectRefusal(await ask(service.url, path, { method, token }), 404, 'not_found');
        }
      }
      const theirs = `/api/ui/workspaces/${other.workspaceId}/messages`;
      expectRefusal(
        await ask(service.url, theirs, { token: workspace.sessionToken }),
        403,
        'forbidden',
        /^Insufficient permissions for the resource/,
      );
      // Membership is checked before the parameters.
      expectRefusal(
        await ask(service.url, `${theirs}?page=x`, { token: workspace.sessionToken }),
        403,
        'forbidden',
      );
      const nowhere = '/api/ui/workspaces/01920000-0000-7000-8000-000000000000/messages?page=x';
      expectRefusal(
        await ask(service.url, nowhere, { token: workspace.sessionToken }),
        404,
        'not_found',
      );
    });
  });
}
