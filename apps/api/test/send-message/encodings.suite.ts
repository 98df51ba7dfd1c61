import { describe, expect, test } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { callBack } from '../call-back.ts';
import { ask, expectRefusal } from '../start-service.ts';
import { TO, read, send, service } from './environment.ts';

const TYPED = `${'x'.repeat(80)} – “yes”…`;
const PLAIN = `${'x'.repeat(80)} - "yes"...`;

export function describeEncodings(): void {
  describe('the encoding of texts', () => {
    async function addWorkspace(encoding: string): Promise<WorkspaceFixture> {
      const own = await service.addWorkspace();
      const changed = await ask(service.url, '/api/workspace', {
        token: own.apiKey,
        method: 'PATCH',
        json: { encoding },
      });
      expect(changed.status).toBe(200);
      return own;
    }

    async function sendIn(own: WorkspaceFixture, json: object): Promise<Record<string, unknown>> {
      const token = own.apiKey;
      const sent = await ask(service.url, '/api/messages', { token, json: { to: TO, ...json } });
      expect(sent.status).toBe(201);
      const path = `/api/messages/${String(sent.json?.['id'])}`;
      return (await ask(service.url, path, { token })).json ?? {};
    }

    /** Reads the body, the segments and the encoding of each message. */
    async function readEach(
      { apiKey: token }: WorkspaceFixture,
      results: readonly { id: string }[],
    ): Promise<unknown[]> {
      const messages = results.map(({ id }) => ask(service.url, `/api/messages/${id}`, { token }));
      return (await Promise.all(messages)).map(({ json }) => [
        json?.['body'],
        json?.['segments'],
        json?.['encoding'],
      ]);
    }

    test('a text is stored as it is sent: replaced if the send prefers GSM-7, and as it is otherwise', async () => {
      const preferred = await send({ to: TO, body: TYPED, encoding: 'prefer_gsm7' });
      expect(await read(preferred.json?.['id'])).toMatchObject({
        body: PLAIN,
        segments: 1,
        encoding: 'prefer_gsm7',
      });
      for (const encoding of ['as_is', undefined]) {
        const sent = await send({ to: TO, body: TYPED, encoding });
        expect(await read(sent.json?.['id'])).toMatchObject({
          body: TYPED,
          segments: 2,
          encoding: 'as_is',
        });
      }
    });

    test('the workspace decides about sends that do not choose, from the next send on', async () => {
      const own = await addWorkspace('prefer_gsm7');
      expect(await sendIn(own, { body: TYPED })).toMatchObject({
        body: PLAIN,
        segments: 1,
        encoding: 'prefer_gsm7',
      });
      expect(await sendIn(own, { body: TYPED, encoding: 'as_is' })).toMatchObject({ body: TYPED });
      await ask(service.url, '/api/workspace', {
        token: own.apiKey,
        method: 'PATCH',
        json: { encoding: 'as_is' },
      });
      expect(await sendIn(own, { body: TYPED })).toMatchObject({ body: TYPED, encoding: 'as_is' });
      const entries = await ask(
        service.url,
        `/api/ui/workspaces/${own.workspaceId}/audit?action=workspace.encoding_changed`,
        { token: own.sessionToken },
      );
      expect(entries.json?.['data']).toMatchObject([
        { action: 'workspace.encoding_changed', detail: { from: 'prefer_gsm7', to: 'as_is' } },
        { action: 'workspace.encoding_changed', detail: { from: 'as_is', to: 'prefer_gsm7' } },
      ]);
    });

    test('a message says the choice that applied, whether or not its text was replaced', async () => {
      const own = await addWorkspace('prefer_gsm7');
      expect(await sendIn(own, { body: 'plain' })).toMatchObject({ encoding: 'prefer_gsm7' });
      expect(await sendIn(own, { body: 'plain', encoding: 'as_is' })).toMatchObject({
        encoding: 'as_is',
      });
      const other = await service.addWorkspace();
      expect(await sendIn(other, { body: 'plain' })).toMatchObject({ encoding: 'as_is' });
      expect(await sendIn(other, { body: 'plain', encoding: 'prefer_gsm7' })).toMatchObject({
        encoding: 'prefer_gsm7',
      });
    });

    test('a text that cannot be in GSM-7 as a whole, and the text of a message with media, stay as they are', async () => {
      const own = await addWorkspace('prefer_gsm7');
      for (const message of [
        { body: `${TYPED} 😀` },
        { body: `${TYPED} ł`, encoding: 'prefer_gsm7' },
        { body: TYPED, encoding: 'prefer_gsm7', media_urls: ['https://a.example/1'] },
      ]) {
        expect(await sendIn(own, message)).toMatchObject({ body: message.body });
      }
    });

    test('each text of a batch is encoded by its own choice', async () => {
      const own = await addWorkspace('prefer_gsm7');
      const choices = ['as_is', 'prefer_gsm7', undefined];
      const sent = await ask(service.url, '/api/messages/batch', {
        token: own.apiKey,
        json: { messages: choices.map((encoding) => ({ to: TO, body: TYPED, encoding })) },
      });
      const results = (sent.json?.['results'] ?? []) as { id: string }[];
      expect(await readEach(own, results)).toEqual([
        [TYPED, 2, 'as_is'],
        [PLAIN, 1, 'prefer_gsm7'],
        [PLAIN, 1, 'prefer_gsm7'],
      ]);
    });

    test('one text for many is encoded by the choice of the batch', async () => {
      const own = await service.addWorkspace();
      const sent = await ask(service.url, '/api/messages/batch', {
        token: own.apiKey,
        json: { to: [TO, '+15551230002'], body: TYPED, encoding: 'prefer_gsm7' },
      });
      const results = (sent.json?.['results'] ?? []) as { id: string }[];
      expect(await readEach(own, results)).toEqual([
        [PLAIN, 1, 'prefer_gsm7'],
        [PLAIN, 1, 'prefer_gsm7'],
      ]);
    });

    test('the reply to a keyword follows the workspace', async () => {
      const own = await addWorkspace('prefer_gsm7');
      const path = `/api/ui/workspaces/${own.workspaceId}/keyword-replies`;
      const changed = await ask(service.url, path, {
        token: own.sessionToken,
        method: 'PATCH',
        json: { help: TYPED },
      });
      expect(changed.json).toMatchObject({ help: TYPED });
      const sid = `SM${crypto.randomUUID().replaceAll('-', '')}`;
      const fields = {
        MessageSid: sid,
        From: TO,
        To: own.from,
        Body: 'HELP',
        NumMedia: '0',
      };
      await callBack(service.url, own, fields, { kind: 'inbound' });
      const replies = await service.sql(
        `SELECT body, segments, encoding FROM messages
         WHERE workspace_id = $1 AND sent_by = 'help_reply'`,
        [own.workspaceId],
      );
      expect(replies).toEqual([{ body: PLAIN, segments: 1, encoding: 'prefer_gsm7' }]);
    });

    test('a retry with the same text and key gets the same message after the workspace has changed its encoding', async () => {
      const own = await addWorkspace('prefer_gsm7');
      const options = {
        token: own.apiKey,
        headers: { 'idempotency-key': 'one text' },
        json: { to: TO, body: TYPED },
      };
      const first = await ask(service.url, '/api/messages', options);
      await ask(service.url, '/api/workspace', {
        token: own.apiKey,
        method: 'PATCH',
        json: { encoding: 'as_is' },
      });
      const again = await ask(service.url, '/api/messages', options);
      expect([again.status, again.json]).toEqual([201, first.json]);
      const other = { ...options, json: { ...options.json, encoding: 'as_is' } };
      expectRefusal(await ask(service.url, '/api/messages', other), 400, 'idempotency_key_reused');
    });

    test.each(['gsm7', 'AS_IS', '', 7, true])('the encoding %j is refused', async (encoding) => {
      const refused = await send({ to: TO, body: 'x', encoding });
      expectRefusal(refused, 400, 'invalid_params', /^`encoding` must be as_is or prefer_gsm7/);
      const { apiKey: token } = await service.addWorkspace();
      expectRefusal(
        await ask(service.url, '/api/workspace', { token, method: 'PATCH', json: { encoding } }),
        400,
        'invalid_params',
        /^`encoding` must be as_is or prefer_gsm7/,
      );
    });
  });
}
