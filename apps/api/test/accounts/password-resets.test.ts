import { once } from 'node:events';
import { numbersTo, sendEach } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ask, expectRefusal, upwards } from '../start-service.ts';
import { dataOf } from '../workspace-client.ts';
import { type MailingService, startMailingService, tokenIn } from './environment.ts';

let service: MailingService;

beforeAll(async () => {
  service = await startMailingService();
});
afterAll(() => service.close());

const NEW = 'a newer and longer password';
const DEAD = /^The link is unknown, used, expired or replaced by a newer one$/;

let clients = 0;
const newClient = () => `203.0.113.${(clients += 1)}`;
const request = (email: string, client = newClient()) =>
  service.askFrom(client, '/api/ui/password-resets', { email });
const reset = (token: string, password = NEW) =>
  service.askFrom(newClient(), `/api/ui/password-resets/${token}`, { password });
const logIn = (email: string, password: string) =>
  service.askFrom(newClient(), '/api/ui/sessions', { email, password });

async function requestToken(email: string, number = 1): Promise<string> {
  expect((await request(email)).status).toBe(200);
  return tokenIn(await service.waitForMail(email, number));
}

test('a link from a mail sets a new password, ends all sessions and closes their sockets', async () => {
  const { email, password, sessionToken, workspaceId, userId } = await service.addWorkspace();
  const url = `${service.url.replace('http', 'ws')}/api/ui/workspaces/${workspaceId}/events`;
  const socket = new WebSocket(url, ['messaging.v1', `bearer.${sessionToken}`]);
  await once(socket, 'message');
  const closed = once(socket, 'close');

  const token = await requestToken(email);
  expect(token).toMatch(/^swr_\w{43}$/);
  const done = await reset(token);
  expect([done.status, done.json]).toEqual([200, { ok: true }]);
  expect((await closed)[0]).toBe(4401);
  expectRefusal(await ask(service.url, '/api/ui/me', { token: sessionToken }), 401, 'unauthorized');
  expectRefusal(await logIn(email, password), 401, 'unauthorized');
  const again = await logIn(email, NEW);
  expect(again.status).toBe(201);

  const audit = await ask(service.url, `/api/ui/workspaces/${workspaceId}/audit`, {
    token: String(again.json?.['token']),
  });
  const [entry] = dataOf(audit);
  expect(entry).toMatchObject({
    action: 'member.password_reset',
    target: userId,
    actor: { type: 'user', id: userId },
    detail: { link: 'mail' },
    ip: expect.stringMatching(/^203\.0\.113\./),
  });
});

test('a link works once, even for requests at the same time, and a newer link replaces it', async () => {
  const { email } = await service.addWorkspace();
  const first = await requestToken(email);
  const second = await requestToken(email, 2);
  expectRefusal(await reset(first), 404, 'not_found', DEAD);
  const both = await Promise.all([reset(second), reset(second)]);
  expect(both.map(({ status }) => status).toSorted(upwards)).toEqual([200, 404]);
  expectRefusal(await reset(second), 404, 'not_found', DEAD);
});

test('an expired link and a link for another purpose do not reset a password', async () => {
  const { email } = await service.addWorkspace();
  const token = await requestToken(email);
  await service.sql(`UPDATE account_tokens SET purpose = 'email' WHERE email = $1`, [email]);
  expectRefusal(await reset(token), 404, 'not_found', DEAD);
  await service.sql(
    `UPDATE account_tokens SET purpose = 'password_reset', expires_at = now() WHERE email = $1`,
    [email],
  );
  expectRefusal(await reset(token), 404, 'not_found', DEAD);
});

test('a changed password voids the links that were sent before', async () => {
  const { email, password, sessionToken } = await service.addWorkspace();
  const token = await requestToken(email);
  const changed = await ask(service.url, '/api/ui/me/password', {
    token: sessionToken,
    json: { current_password: password, password: NEW },
  });
  expect(changed.status).toBe(200);
  expectRefusal(await reset(token, 'the password of a stranger'), 404, 'not_found', DEAD);
});

test('the response, the stored row and the statements are the same for an unknown address', async () => {
  const { email } = await service.addWorkspace();
  const unknown = `nobody-${email}`;
  const [known, other] = [await request(email), await request(unknown)];
  expect([other.status, other.text]).toEqual([known.status, known.text]);
  const names = (headers: Headers) => [...headers.keys()].toSorted();
  expect(names(other.headers)).toEqual(names(known.headers));
  // Only the worker distinguishes them: it sends one mail, and deletes both requests.
  await service.waitForMail(email);
  await expect
    .poll(() => service.sql('SELECT 1 FROM mails WHERE recipient = ANY($1)', [[email, unknown]]), {
      timeout: 60_000,
    })
    .toEqual([]);
  expect(service.mailServer.mails.filter(({ to }) => to.includes(unknown))).toEqual([]);
});

test('a stranger who requests links for an address does not prevent its owner from receiving a valid one', async () => {
  const { email } = await service.addWorkspace();
  const stranger = newClient();
  const responses = await sendEach(numbersTo(8), () => request(email, stranger), {
    status: [200, 429],
    atOnce: 1,
  });
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  for (let n = 0; n < 5; n += 1) expect((await request(email)).status).toBe(200);
  // However many requests arrive, the address receives at most five mails in an hour, of which the last one is valid.
  const due = () =>
    service.sql(
      `SELECT 1 FROM mails WHERE recipient = $1 AND next_attempt_at < now() + interval '5 minutes'`,
      [email],
    );
  await expect.poll(due, { timeout: 60_000 }).toEqual([]);
  const received = service.mailServer.mails.filter(({ to }) => to.includes(email));
  expect(received.length).toBeLessThanOrEqual(5);
  expect((await reset(tokenIn(await service.waitForMail(email, received.length)))).status).toBe(
    200,
  );
});

test('a client that tries 50 links is refused, and other clients are not', async () => {
  const guesser = newClient();
  const guess = (n: number) =>
    service.askFrom(guesser, `/api/ui/password-resets/swr_${n}`, { password: NEW });
  const responses = await sendEach(numbersTo(52), guess, { status: [404, 429], atOnce: 4 });
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
  const { email } = await service.addWorkspace();
  expect((await reset(await requestToken(email))).status).toBe(200);
});

test('links begin with PUBLIC_URL, whatever host and proxy headers the request has', async () => {
  const { email } = await service.addWorkspace();
  const asked = await ask(service.url, '/api/ui/password-resets', {
    json: { email },
    headers: {
      'x-forwarded-for': newClient(),
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
      origin: 'https://evil.example',
    },
  });
  expect(asked.status).toBe(200);
  const { links, html, header } = await service.waitForMail(email);
  expect(links[0]).toMatch(new RegExp(`^${service.url}/reset-password#token=swr_`));
  expect(html).toContain(links[0]);
  expect(html + header).not.toContain('evil.example');
  expect(header).toMatch(/^Auto-Submitted: auto-generated$/m);
});

test('no token is in the database, in a log line or in a queued mail', async () => {
  const { email } = await service.addWorkspace();
  const token = await requestToken(email);
  expect((await reset(token)).status).toBe(200);
  const logs = [...service.apis, service.worker].flatMap((process) => process.logs).join('');
  expect(logs).toContain('password-resets');
  expect(logs).not.toContain(token.slice(8));
  const tables = await service.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const rows = await service.sql(`SELECT 1 FROM "${name}" t WHERE t::text LIKE $1`, [
      `%${token.slice(8)}%`,
    ]);
    expect([name, rows]).toEqual([name, []]);
  }
});

test('a reset does not accept a short password, and the link still works afterwards', async () => {
  const { email } = await service.addWorkspace();
  const token = await requestToken(email);
  expectRefusal(await reset(token, 'short'), 400, 'invalid_params', /`password`/);
  expectRefusal(
    await service.askFrom(newClient(), '/api/ui/password-resets', { email: 'no address' }),
    400,
    'invalid_params',
    /`email`/,
  );
  expect((await reset(token)).status).toBe(200);
});
