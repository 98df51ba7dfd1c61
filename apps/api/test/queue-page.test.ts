import { createHash } from 'node:crypto';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
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

/** The cells of the rows that hold `text`, tags taken out. */
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

describe.each(BACKENDS)('the queue page, on %s', (backend) => {
  let service: Service;
  let workspace: WorkspaceFixture;
  const look = (headers: Record<string, string> = login(USER, PASSWORD)): Promise<Answer> =>
    ask(service.url, '/ops/queue', { headers });

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
      service.sql(`UPDATE messages SET ${set} WHERE id = $1`, [id]);
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
      `UPDATE provider_configurations SET refused_since = now(), refused_detail = 'Wrong token'
       WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
  });
  afterAll(() => service.close());

  test('is for who has its own login, and no credential of the service is one', async () => {
    const wrong = [
      {},
      login(USER, 'wrong'),
      login('somebody', PASSWORD),
      login(workspace.email, workspace.password),
      { authorization: `Bearer ${workspace.apiKey}` },
      { authorization: `Bearer ${workspace.sessionToken}` },
      { authorization: 'Basic ' },
    ];
    for (const headers of wrong) {
      const answer = await look(headers);
      expectRefusal(answer, 401, 'unauthorized');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
    expect((await look()).status).toBe(200);
  });

  test('shows what waits, what is held back and why, what is in doubt and what has failed', async () => {
    const { text } = await look();
    const count = (state: string): string | undefined => rowsWith(text, state)[0]?.[1];
    expect(count('Waiting to be sent')).toBe('1');
    expect(count('Held back until their next try')).toBe('1');
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

  test('holds no text of a message and no whole number, and does nothing when it is asked to', async () => {
    const { text } = await look();
    expect(text).not.toContain('Secret text');
    expect(text).not.toContain(THEIRS.slice(1));
    expect(text).not.toMatch(/<(form|button|input|a|script)\b/);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const options = { method, headers: login(USER, PASSWORD) };
      expectRefusal(await ask(service.url, '/ops/queue', options), 404, 'not_found');
    }
  });

  test('allows its own style and nothing else, and is kept nowhere', async () => {
    const { headers, text } = await look();
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

  // The last one: it uses up the failures of this address.
  test('lets nobody guess for long, and then not even the right login in', async () => {
    const answers = [];
    for (let i = 0; i < 15; i += 1) answers.push((await look(login(USER, `guess ${i}`))).status);
    expect(answers.at(-1)).toBe(429);
    const locked = await look();
    expectRefusal(locked, 429, 'rate_limited');
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('without its login', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  test('there is no queue page, and no dashboard in its place', async () => {
    const headers = login(USER, PASSWORD);
    expectRefusal(await ask(service.url, '/ops/queue', { headers }), 404, 'not_found');
  });
});
