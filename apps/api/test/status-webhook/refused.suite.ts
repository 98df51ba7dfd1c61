import { SECRET_FIELD } from '@switchboard/core';
import { createSecretBox } from '@switchboard/runtime';
import { TEST_SECRET_KEY } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { callBack, sign } from '../call-back.ts';
import { type ApiResponse, ask, expectRefusal } from '../start-service.ts';
import { service, workspace, newSid, send, sendStatus, read, snapshot } from './environment.ts';

export function describeRefused(): void {
  describe('forged status callbacks', () => {
    const status = { MessageStatus: 'delivered' };

    async function expectForged(id: string, run: () => Promise<ApiResponse>): Promise<void> {
      const before = await snapshot(id);
      expectRefusal(await run(), 403, 'forbidden', /^Insufficient permissions for the resource/);
      expect(await snapshot(id)).toEqual(before);
      expect(await service.countRows('unmatched_callbacks')).toBe(0);
    }

    test('a status callback with a missing or wrong signature is refused with 403 and writes nothing', async () => {
      const [id, sid] = [await send(), newSid()];
      const fields = { MessageSid: sid, ...status };
      const path = `/api/webhooks/twilio/${workspace.workspaceId}/status?message=${id}&attempt=1`;
      const whole = { AccountSid: workspace.accountSid, ApiVersion: '2010-04-01', ...fields };
      const right = sign(workspace.authToken, service.url + path, whole);
      const signatures = [
        null,
        '',
        'x',
        right.slice(0, -2),
        `${right} `.repeat(2),
        right.toLowerCase(),
        Buffer.alloc(20).toString('base64'),
        sign('', service.url + path, whole),
        sign(workspace.authToken.toUpperCase(), service.url + path, whole),
        sign(workspace.authToken, `http://evil.example${path}`, whole),
        sign(workspace.authToken, service.url + path.replace('attempt=1', 'attempt=2'), whole),
        sign(workspace.authToken, service.url + path.split('?')[0], whole),
        sign(workspace.authToken, service.url + path, { ...whole, MessageStatus: 'sent' }),
        sign(workspace.authToken, service.url + path, {}),
      ];
      for (const signature of signatures) {
        await expectForged(id, () => sendStatus(fields, { message: id, signature }));
      }
      expect((await sendStatus(fields, { message: id, signature: right })).status).toBe(200);
    });

    test('a status callback that one workspace signs for a message of another is refused and writes nothing', async () => {
      const other = await service.addWorkspace();
      const [id, sid] = [await send(other), newSid()];
      // With its own AccountSid, and with the other workspace's, for which it has no token.
      await expectForged(id, () => sendStatus({ MessageSid: sid, ...status }, { message: id }));
      await callBack(
        service.url,
        other,
        { MessageSid: sid, MessageStatus: 'sent' },
        { message: id },
      );
      await expectForged(id, () =>
        sendStatus({ MessageSid: sid, ...status, AccountSid: other.accountSid }),
      );
      await expectForged(id, () =>
        sendStatus({ MessageSid: sid, ...status }, { workspaceId: other.workspaceId }),
      );
      expect(await read(id, other)).toMatchObject({ status: 'sent' });
    });

    test('a status callback cannot use an identifier of another workspace with the same account', async () => {
      const other = await service.addWorkspace({ accountSid: workspace.accountSid });
      const [id, sid] = [await send(other), newSid()];
      await callBack(
        service.url,
        other,
        { MessageSid: sid, MessageStatus: 'sent' },
        { message: id },
      );
      await expectForged(id, () => sendStatus({ MessageSid: sid, ...status }));
    });

    test('a status callback with an AccountSid other than the configured one is refused and writes nothing', async () => {
      const id = await send();
      for (const AccountSid of [`AC${'f'.repeat(32)}`, workspace.accountSid.toUpperCase()]) {
        await expectForged(id, () =>
          sendStatus({ MessageSid: newSid(), ...status, AccountSid }, { message: id }),
        );
      }
    });

    test('after an account has new credentials, a callback that is signed with the old credentials is refused and writes nothing', async () => {
      const other = await service.addWorkspace();
      const [id, sid] = [await send(other), newSid()];
      const renewed = { ...other, authToken: 'f'.repeat(32) };
      const reportAs = (from: typeof other, MessageStatus: string) =>
        sendStatus(
          { MessageSid: sid, MessageStatus },
          { message: id, workspaceId: other.workspaceId },
          from,
        );
      for (const before of ['queued', 'sent']) {
        expect((await reportAs(other, before)).status).toBe(200);
      }
      const sealed = createSecretBox(TEST_SECRET_KEY).seal(renewed.authToken, {
        workspaceId: other.workspaceId,
        field: SECRET_FIELD,
      });
      await service.sql(
        `UPDATE provider_accounts SET sealed_secret = $2, verified_credentials = $2
         WHERE workspace_id = $1`,
        [other.workspaceId, sealed],
      );
      await expectForged(id, () => reportAs(other, 'delivered'));
      expect((await reportAs(renewed, 'delivered')).status).toBe(200);
      expect(await read(id, other)).toMatchObject({ status: 'delivered' });
    });

    test('a status callback for an unknown workspace or one without a provider is refused and writes nothing', async () => {
      const id = await send();
      const bare = await service.addWorkspace({ provider: false });
      for (const workspaceId of [
        bare.workspaceId,
        '01920000-0000-7000-8000-000000000000',
        'x',
        '%00',
      ]) {
        await expectForged(id, () =>
          sendStatus({ MessageSid: newSid(), ...status }, { message: id, workspaceId }),
        );
      }
    });

    test('a status callback without a body is refused and writes nothing', async () => {
      const id = await send();
      const path = `/api/webhooks/twilio/${workspace.workspaceId}/status?message=${id}`;
      for (const headers of [{}, { 'content-type': 'application/x-www-form-urlencoded' }]) {
        await expectForged(id, () =>
          ask(service.url, path, {
            method: 'POST',
            headers: { ...headers, 'x-twilio-signature': 'x' },
          }),
        );
      }
    });
  });

  describe('invalid bodies of status callbacks', () => {
    const post = (raw: string, type: string) => {
      const path = `/api/webhooks/twilio/${workspace.workspaceId}/status`;
      const signature = sign(workspace.authToken, service.url + path, {});
      return ask(service.url, path, {
        raw,
        headers: { 'content-type': type, 'x-twilio-signature': signature },
      });
    };

    test('a status callback in JSON or another content type is refused and writes nothing', async () => {
      for (const type of [
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        'nonsense',
      ]) {
        const response = await post('{"MessageSid":"SM1","MessageStatus":"sent"}', type);
        expect([type, [400, 403].includes(response.status)]).toEqual([type, true]);
        expectRefusal(
          response,
          response.status,
          response.status === 400 ? 'invalid_params' : 'forbidden',
        );
        if (response.status === 400) {
          expect(response.json?.['detail']).toContain('application/x-www-form-urlencoded');
        }
      }
    });

    test('a status callback over 64 KiB or with ten thousand fields is refused', async () => {
      const type = 'application/x-www-form-urlencoded';
      expectRefusal(await post(`a=${'x'.repeat(70_000)}`, type), 400, 'invalid_params', /64 KiB/);
      expectRefusal(await post('a&'.repeat(10_000), type), 403, 'forbidden');
      expectRefusal(await post('%&%zz=%ff&=&__proto__=x', type), 403, 'forbidden');
      expect((await ask(service.url, '/health/live')).status).toBe(200);
    });
  });
}
