import { EVENTUALLY, startApi } from '@switchboard/testing';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, expectRefusal, startService } from '../start-service.ts';
import {
  PATH,
  countMessages,
  listSends,
  newKey,
  outcomesOf,
  resultsOf,
  sendBatch,
  service,
  workspace,
} from './environment.ts';

export function describeBatchFailures(): void {
  describe('batches that cannot be stored', () => {
    test('if the database refuses one row, only its send fails, and a repeat with the Idempotency-Key sends what is missing', async () => {
      await service.sql(
        `ALTER TABLE message_records ADD CONSTRAINT no_bad_row CHECK (body <> 'bad row')`,
      );
      const key = newKey();
      const messages = [...listSends(20), ...listSends(1, { body: 'bad row' }), ...listSends(120)];
      const first = await sendBatch({ messages }, { key });
      const expected = messages.map(({ body }) => (body === 'bad row' ? 'send_failed' : 'stored'));
      expect(outcomesOf(first)).toEqual(expected);
      await service.sql('ALTER TABLE message_records DROP CONSTRAINT no_bad_row');
      const before = await countMessages();
      const again = await sendBatch({ messages }, { key });
      expect(outcomesOf(again)).toEqual(messages.map(() => 'stored'));
      expect(resultsOf(again).toSpliced(20, 1)).toEqual(resultsOf(first).toSpliced(20, 1));
      expect(await countMessages()).toBe(before + 1);
    });

    test('if nothing can be stored, the batch gets 503 like a single send, and a repeat with the same keys stores each message once', async () => {
      const locker = new pg.Client({ connectionString: service.database.url });
      await locker.connect();
      onTestFinished(() => locker.end());
      const own = await service.addWorkspace();
      resultsOf(await sendBatch({ messages: listSends(1) }, { token: own.apiKey }));
      const key = newKey();
      const messages = [...listSends(300), { to: 'nobody', body: 'x' }];
      await locker.query('BEGIN');
      await locker.query('SELECT 1 FROM event_counters WHERE workspace_id = $1 FOR UPDATE', [
        own.workspaceId,
      ]);
      const blocked = await sendBatch({ messages }, { key, token: own.apiKey });
      await locker.query('ROLLBACK');
      expectRefusal(blocked, 503, 'service_unavailable', /nothing was stored/);
      expect(blocked.headers.get('retry-after')).toBe('1');
      expect(await countMessages(own.workspaceId)).toBe(1);
      const again = await sendBatch({ messages }, { key, token: own.apiKey });
      expect(outcomesOf(again)).toEqual([...listSends(300).map(() => 'stored'), 'invalid_params']);
      expect(await countMessages(own.workspaceId)).toBe(301);
    });

    test('a batch that was stored without its response is answered from what is stored', async () => {
      const key = newKey();
      const messages = listSends(130);
      const first = await sendBatch({ messages }, { key });
      // What is left by a process that ends between the last message and the response.
      await service.sql(
        `UPDATE idempotency_keys SET response = NULL, created_at = now() - interval '1 minute'
         WHERE workspace_id = $1 AND key = $2`,
        [workspace.workspaceId, key],
      );
      const before = await countMessages();
      const again = await sendBatch({ messages }, { key, api: 1 });
      expect(resultsOf(again)).toEqual(resultsOf(first));
      expect(await countMessages()).toBe(before);
      expect((await sendBatch({ messages }, { key })).headers.get('idempotent-replayed')).toBe(
        'true',
      );
    });

    test.each(['each send', 'the batch'])(
      'after the process dies in the middle of a batch, a repeat with the key of %s stores the rest, and nothing twice',
      async (whose) => {
        const env = { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_WORKSPACE: '100000' };
        const own = await startService({ env });
        onTestFinished(() => own.close());
        const victim = await startApi({ DATABASE_URL: own.database.url, ...env });
        // Slow enough that the process dies before the response.
        await own.sql(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_sleep(0.2); RETURN NULL; END $$`);
        await own.sql(`CREATE TRIGGER slow AFTER INSERT ON message_records
          FOR EACH STATEMENT EXECUTE FUNCTION wait()`);
        const { apiKey: token } = await own.addWorkspace();
        const messages = listSends(1_000).map((send, n) =>
          whose === 'each send' ? { ...send, idempotency_key: `${n}` } : send,
        );
        const post = (url: string) =>
          ask(url, PATH, {
            token,
            json: { messages },
            headers: whose === 'the batch' ? { 'idempotency-key': 'whole' } : {},
          });
        const dying = post(victim.url).then(
          ({ status }) => status,
          () => 'no response',
        );
        await expect.poll(() => own.countRows('messages'), EVENTUALLY).toBeGreaterThan(0);
        await victim.kill();
        expect(await dying).toBe('no response');
        await own.sql('DROP TRIGGER slow ON message_records');
        const stored = await own.countRows('messages');
        expect(stored).toBeLessThan(1_000);
        const results = resultsOf(await post(own.url));
        expect(results.filter(({ id }) => id === undefined)).toEqual([]);
        const rows = await own.sql<{ id: string }>('SELECT id FROM messages');
        expect(rows).toHaveLength(1_000);
        expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(results.map(({ id }) => id)));
      },
      120_000,
    );

    test('a revoked key is refused as a whole', async () => {
      const own = await service.addWorkspace();
      resultsOf(await sendBatch({ messages: listSends(1) }, { token: own.apiKey }));
      await service.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [own.apiKeyId]);
      const refused = await sendBatch({ messages: listSends(2) }, { token: own.apiKey });
      expectRefusal(refused, 401, 'unauthorized');
      expect(await countMessages(own.workspaceId)).toBe(1);
    });
  });
}
