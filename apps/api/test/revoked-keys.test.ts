import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import {
  type ApiResponse,
  type AskOptions,
  BACKENDS,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';
import { clientOf } from './workspace-client.ts';

const LIMIT = 8;
const good = { to: '+15551230001', body: 'x' };
const usedKey = { 'idempotency-key': 'used' };
const json = { 'content-type': 'application/json' };

/** A valid send, and sends that a valid key would have refused or answered without a new row. */
const SENDS: Record<string, AskOptions> = {
  'valid parameters': { json: good },
  'a body that is not JSON': { raw: '{', headers: json },
  'no body': { headers: json, method: 'POST' },
  'a body that is too large': { raw: 'a'.repeat(70_000), headers: json },
  'a body of an unsupported content type': { raw: 'x', headers: { 'content-type': 'text/plain' } },
  'a missing parameter': { json: { to: good.to } },
  'an invalid parameter': { json: { ...good, to: '1' } },
  'an invalid Idempotency-Key': { json: good, headers: { 'idempotency-key': 'k'.repeat(256) } },
  'a used Idempotency-Key': { json: good, headers: usedKey },
  'an Idempotency-Key of another request': {
    json: { ...good, body: 'y' },
    headers: usedKey,
  },
  'an unknown sender': { json: { ...good, from: '+15005550066' } },
};

describe.each(BACKENDS)(
  'revoked API keys on %s, with two processes that have cached the key',
  (backend) => {
    let service: Service;
    beforeAll(async () => {
      service = await startService({ backend, apis: 2, env: { RATE_LIMIT_MESSAGING: `${LIMIT}` } });
    });
    afterAll(() => service.close());

    const send = ({ apiKey }: WorkspaceFixture, n: number, options: AskOptions) =>
      ask(service.apis[n % 2]?.url ?? '', '/api/messages', { token: apiKey, ...options });

    async function addKnownKey(): Promise<WorkspaceFixture> {
      const workspace = await service.addWorkspace();
      for (const n of [0, 1]) {
        expect((await send(workspace, n, { json: good, headers: usedKey })).status).toBe(201);
      }
      return workspace;
    }

    async function revoke(workspace: WorkspaceFixture): Promise<void> {
      const owner = clientOf(service, workspace, workspace.sessionToken);
      const response = await owner(`/api-keys/${workspace.apiKeyId}`, { method: 'DELETE' });
      expect(response.status).toBe(200);
    }

    function expectInvalidApiKey(response: ApiResponse): void {
      expectRefusal(response, 401, 'unauthorized', /^Invalid or missing API key$/);
      expect(response.headers.get('x-ratelimit-limit')).toBeNull();
      expect(response.headers.get('retry-after')).toBeNull();
    }

    const countMessages = async ({ workspaceId }: WorkspaceFixture) =>
      (
        await service.sql<{ n: number }>(
          'SELECT count(*)::int AS n FROM messages WHERE workspace_id = $1',
          [workspaceId],
        )
      )[0]?.n;

    test.each(Object.entries(SENDS))(
      'a send with %s and a revoked API key is refused with 401',
      async (_, options) => {
        const workspace = await addKnownKey();
        await revoke(workspace);
        for (const n of [0, 1, 0, 1]) expectInvalidApiKey(await send(workspace, n, options));
        expect(await countMessages(workspace)).toBe(1);
      },
    );

    test('a send with a revoked API key beyond the rate limit is refused with 401', async () => {
      for (const options of [SENDS['valid parameters'], SENDS['a body that is not JSON']]) {
        const workspace = await addKnownKey();
        for (let n = 2; n < LIMIT; n += 1) await send(workspace, n, { json: {} });
        for (const n of [0, 1]) expect((await send(workspace, n, options ?? {})).status).toBe(429);
        await revoke(workspace);
        for (const n of [0, 1, 0, 1]) expectInvalidApiKey(await send(workspace, n, options ?? {}));
      }
    });

    test('an API key that is deleted with its workspace is refused like a revoked key', async () => {
      const workspace = await addKnownKey();
      await service.sql('DELETE FROM api_keys WHERE id = $1', [workspace.apiKeyId]);
      for (const n of [0, 1, 0, 1]) expectInvalidApiKey(await send(workspace, n, { json: good }));
      expect(await countMessages(workspace)).toBe(1);
    });
  },
);

describe('API keys revoked under load', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ apis: 2, env: { RATE_LIMIT_MESSAGING: '100000' } });
  });
  afterAll(() => service.close());

  test.each([
    { kind: 'valid', options: { json: good }, before: [201], counted: 0 },
    { kind: 'invalid', options: { json: {} }, before: [400], counted: 0 },
    { kind: 'rate-limited', options: { json: good }, before: [429], counted: 100_000 },
  ])(
    'a $kind send that starts after the revocation is refused with 401, and only messages with a 201 are stored',
    async ({ options, before, counted }) => {
      const workspace = await service.addWorkspace();
      const send = (n: number) =>
        ask(service.apis[n % 2]?.url ?? '', '/api/messages', {
          token: workspace.apiKey,
          ...options,
        });
      await service.sql(
        `INSERT INTO rate_limits (key, points, expire)
         SELECT 'limit:messaging:' || $1, $2, (extract(epoch FROM now()) * 1000)::bigint + 60000
         WHERE $2 > 0`,
        [workspace.apiKeyId, counted],
      );
      await Promise.all([send(0), send(1)]);

      let isRevoked = false;
      const early = new Set<number>();
      const late = new Set<number>();
      let stored = options.json === good && counted === 0 ? 2 : 0;
      const load = Array.from({ length: 8 }, async (_, n) => {
        for (;;) {
          const responses = isRevoked ? late : early;
          const { status } = await send(n);
          responses.add(status);
          if (status === 201) stored += 1;
          if (status === 401) return;
        }
      });
      const owner = clientOf(service, workspace, workspace.sessionToken);
      await expect.poll(() => early.size, EVENTUALLY).toBeGreaterThan(0);
      await owner(`/api-keys/${workspace.apiKeyId}`, { method: 'DELETE' });
      isRevoked = true;
      await Promise.all(
        [...load, send(0), send(1)].map(async (sent) => {
          const response = await sent;
          if (response !== undefined) late.add(response.status);
        }),
      );
      expect([...early].filter((status) => status !== 401)).toEqual(before);
      expect([...late]).toEqual([401]);
      const rows = await service.sql('SELECT 1 FROM messages WHERE workspace_id = $1', [
        workspace.workspaceId,
      ]);
      expect(rows).toHaveLength(stored);
    },
  );
});
