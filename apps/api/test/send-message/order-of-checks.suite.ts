import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { TO, service, workspace, send, countMessages } from './environment.ts';

export function describeOrderOfChecks(): void {
  describe('order of the checks of a send', () => {
    const wrong = { to: 7, body: 7 };

    test('the credential is checked before the body, even if the body is not JSON', async () => {
      for (const raw of ['{', JSON.stringify(wrong), 'a'.repeat(70_000)]) {
        const response = await ask(service.url, '/api/messages', {
          headers: { 'content-type': 'application/json' },
          raw,
        });
        expectRefusal(response, 401, 'unauthorized', /^Invalid or missing API key$/);
      }
    });

    test('parameters are checked before the Idempotency-Key, and the Idempotency-Key before the provider', async () => {
      const bare = await service.addWorkspace({ provider: false });
      const post = (json: unknown, key: string) =>
        ask(service.url, '/api/messages', {
          token: bare.apiKey,
          json,
          headers: { 'idempotency-key': key },
        });
      const tooLong = 'k'.repeat(256);
      expectRefusal(await post(wrong, tooLong), 400, 'invalid_params', /`to`/);
      expectRefusal(
        await post({ to: TO, body: 'x' }, tooLong),
        400,
        'invalid_params',
        /`Idempotency-Key`/,
      );
      expectRefusal(await post({ to: TO, body: 'x' }, 'k'), 400, 'provider_not_configured');
    });

    test('a send with several errors is refused for the first of these: no provider, unknown sender, no sender, opt-out', async () => {
      const unknown = '+15005550077';
      const bare = await service.addWorkspace({ provider: false, from: null });
      const noSender = await service.addWorkspace({ from: null });
      for (const { workspaceId } of [bare, noSender, workspace]) {
        await service.sql(
          `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, '+15551239999', 'STOP', now())`,
          [workspaceId],
        );
      }
      const post = (token: string, from?: string) =>
        ask(service.url, '/api/messages', { token, json: { to: '+15551239999', body: 'x', from } });
      const before = await countMessages();
      expectRefusal(await post(bare.apiKey, unknown), 400, 'provider_not_configured');
      expectRefusal(await post(bare.apiKey), 400, 'provider_not_configured');
      expectRefusal(
        await post(noSender.apiKey, unknown),
        403,
        'forbidden',
        /^Insufficient permissions for the resource/,
      );
      expectRefusal(await post(noSender.apiKey), 400, 'sender_not_configured');
      expectRefusal(await post(workspace.apiKey, unknown), 403, 'forbidden');
      expectRefusal(await post(workspace.apiKey), 400, 'recipient_opted_out');
      expect(await countMessages()).toBe(before);
    });

    test("another workspace's number is refused as a sender, and its opt-outs do not apply here", async () => {
      const other = await service.addWorkspace({ from: '+15005550066' });
      await service.sql(
        `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, '+15551238888', 'STOP', now())`,
        [other.workspaceId],
      );
      expectRefusal(await send({ to: TO, body: 'x', from: '+15005550066' }), 403, 'forbidden');
      expect((await send({ to: '+15551238888', body: 'x' })).status).toBe(201);
    });
  });
}
