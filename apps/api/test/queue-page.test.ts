import { createHash } from 'node:crypto';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiResponse,
  BACKENDS,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';

const USER = 'operator';
const PASSWORD = 'a long password: with a colon';
const THEIRS = '+15558674444';

const login = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

/** Returns the texts of the cells in rows that contain `text`. */
function rowsWith(page: string, text: string): string[][] {
  return [...page.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .map(([, row = '']) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) =>
        cell
          .replaceAll(/<[^>]+>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    )
    .filter((cells) => cells.some((cell) => cell.includes(text)));
}

describe.each(BACKENDS)('queue page on %s', (backend) => {
  let service: Service;
  let workspace: WorkspaceFixture;
  const openPage = (
    headers: Record<string, string> = login(USER, PASSWORD),
  ): Promise<ApiResponse> => ask(service.url, '/ops/queue', { headers });

  beforeAll(async () => {
    const env = { QUEUE_UI_USER: USER, QUEUE_UI_PASSWORD: PASSWORD };
    service = await startService({ backend, env });
    workspace = await service.addWorkspace();
    const ids: string[] = [];
    for (const body of ['Secret text 1', 'Secret text 2', 'Secret text 3', 'Secret text 4']) {
      const json = { to: THEIRS, body };
      const sent = await ask(service.url, '/api/messages', { token: workspace.apiKey, json });
      ids.push(String(sent.json?.['id']));
    }
    const change = (id: string | undefined, set: string): Promise<unknown> =>
      service.updateMessages({ set, where: 'id = $1', values: [id] });
    await change(ids[1], `not_before = now() + interval '5 minutes', attempt = 1`);
    await change(
      ids[2],
      `dispatch = 'unknown', attempt = 1, started_at = now(),
      error_detail = 'No answer about ${THEIRS}'`,
    );
    await change(
      ids[3],
      `dispatch = 'rejected', status = 'failed', due_at = NULL, attempt = 1,
      error_code = '21211', error_detail = '<b>Not</b> a number: ${THEIRS}'`,
    );
    await service.sql(
      `UPDATE provider_accounts SET refused_since = now(), refused_detail = 'Wrong token'
       WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
  });
  afterAll(() => service.close());

  test('the queue page requires its own login and accepts no other credential', async () => {
    const wrong = [
      {},
      login(USER, 'wrong'),
      login('stranger', PASSWORD),
      login(workspace.email, workspace.password),
      { authorization: `Bearer ${workspace.apiKey}` },
      { authorization: `Bearer ${workspace.sessionToken}` },
      { authorization: 'Basic ' },
    ];
    for (const headers of wrong) {
      const response = await openPage(headers);
      expectRefusal(response, 401, 'unauthorized');
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
    expect((await openPage()).status).toBe(200);
  });

  test('the queue page shows waiting, held, unknown and failed messages with reasons', async () => {
    const { text } = await openPage();
    const count = (state: string): string | undefined => rowsWith(text, state)[0]?.[1];
    expect(count('Waiting to be sent')).toBe('1');
    expect(count('Waiting for their next attempt')).toBe('1');
    expect(count('Outcome unknown')).toBe('1');
    expect(text).toContain(`with up to 16 hints, on ${backend}`);
    expect(Number(count('prioritized'))).toBeGreaterThan(0);

    const [[, waiting, , heldBack, nextTry, , unknown, credentials] = []] = rowsWith(
      text,
      workspace.workspaceId,
    );
    expect([waiting, heldBack, unknown]).toEqual(['1', '1', '1']);
    expect(nextTry).toMatch(/^[45] min$/);
    expect(credentials).toMatch(/^credentials refused since .* Wrong token$/);
    const [failed] = rowsWith(text, '21211');
    expect(failed?.[4]).toBe('21211 &lt;b&gt;Not&lt;/b&gt; a number: +1555•••4444');
    expect(failed?.[2]).toBe('+1555•••4444');
  });

  test('the queue page contains no message text and no complete number, and cannot change anything', async () => {
    const { text } = await openPage();
    expect(text).not.toContain('Secret text');
    expect(text).not.toContain(THEIRS.slice(1));
    expect(text).not.toMatch(/<(form|button|input|a|script)\b/);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const options = { method, headers: login(USER, PASSWORD) };
      expectRefusal(await ask(service.url, '/ops/queue', options), 404, 'not_found');
    }
  });

  test('the queue page allows only its own style and is not cached', async () => {
    const { headers, text } = await openPage();
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; ` +
        `frame-ancestors 'none'`,
    );
    expect(text).not.toMatch(/ (style|on\w+|src|href)=/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  // This is the last test, because it uses up the failed logins of this address.
  test('the queue page refuses all logins from an address after too many failed logins', async () => {
    const responses = [];
    for (let i = 0; i < 15; i += 1)
      responses.push((await openPage(login(USER, `guess ${i}`))).status);
    expect(responses.at(-1)).toBe(429);
    const locked = await openPage();
    expectRefusal(locked, 429, 'rate_limited');
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('queue page without a login', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  test('without a configured login, there is no queue page', async () => {
    const headers = login(USER, PASSWORD);
    expectRefusal(await ask(service.url, '/ops/queue', { headers }), 404, 'not_found');
  });
});
