import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { type MailingService, startMailingService, tokenIn } from './environment.ts';

let service: MailingService;

beforeAll(async () => {
  service = await startMailingService();
});
afterAll(() => service.close());

const PASSWORD = 'a long enough password';
let made = 0;
const newAddress = () => `person-${(made += 1)}@example.com`;
const newClient = () => `198.51.100.${(made += 1)}`;

const me = async (token: string) => (await ask(service.url, '/api/ui/me', { token })).json;
const confirm = (token: string) =>
  service.askFrom(newClient(), `/api/ui/email-verifications/${token}`);
const change = (token: string, email: string, password: string) =>
  ask(service.url, '/api/ui/me/email', { token, json: { email, password } });

async function signUp(email: string): Promise<string> {
  const user = { email, name: 'A person', password: PASSWORD };
  const signedUp = await service.askFrom(newClient(), '/api/ui/users', user);
  expect(signedUp.status).toBe(201);
  return String(signedUp.json?.['token']);
}

test('a new user receives a link that confirms the address once', async () => {
  const email = newAddress();
  const session = await signUp(email);
  expect(await me(session)).toMatchObject({ email_confirmed: false, sends_mail: true });
  const token = tokenIn(await service.waitForMail(email));
  expect((await confirm(token)).status).toBe(200);
  expect(await me(session)).toMatchObject({ email_confirmed: true });
  expectRefusal(await confirm(token), 404, 'not_found');
  // A confirmed or unknown address gets the same response, and no mail.
  for (const address of [email, newAddress()]) {
    const asked = await service.askFrom(newClient(), '/api/ui/email-verifications', {
      email: address,
    });
    expect([asked.status, asked.json]).toEqual([200, { ok: true }]);
  }
  await expect.poll(() => service.sql('SELECT 1 FROM mails'), { timeout: 60_000 }).toEqual([]);
  expect(service.mailServer.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
});

test('a changed address counts from its confirmation on, and the old one is notified and loses its links', async () => {
  const { email, password, sessionToken, workspaceId } = await service.addWorkspace();
  const fresh = newAddress();
  await service.askFrom(newClient(), '/api/ui/password-resets', { email });
  const oldLink = tokenIn(await service.waitForMail(email));

  expect((await change(sessionToken, fresh.toUpperCase(), password)).status).toBe(200);
  expect(await me(sessionToken)).toMatchObject({ user: { email }, pending_email: fresh });
  const notice = await service.waitForMail(email, 2);
  expect(notice.header).toMatch(/^Subject: The email address of your account is about to change$/m);
  const logIn = (address: string) =>
    service.askFrom(newClient(), '/api/ui/sessions', { email: address, password });
  expect((await logIn(fresh)).status).toBe(401);

  expect((await confirm(tokenIn(await service.waitForMail(fresh)))).status).toBe(200);
  expect(await me(sessionToken)).toMatchObject({
    user: { email: fresh },
    pending_email: null,
    email_confirmed: true,
  });
  expect([(await logIn(fresh)).status, (await logIn(email)).status]).toEqual([201, 401]);
  const stale = await service.askFrom(newClient(), `/api/ui/password-resets/${oldLink}`, {
    password: 'a password from the old mailbox',
  });
  expectRefusal(stale, 404, 'not_found');
  const audit = await ask(service.url, `/api/ui/workspaces/${workspaceId}/audit`, {
    token: sessionToken,
  });
  expect(audit.json?.['data']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: 'member.email_changed',
        detail: { from: email, to: fresh },
        ip: expect.any(String),
      }),
    ]),
  );
});

test('a change of the address needs the password, and does not reveal whether another user has the address', async () => {
  const other = await service.addWorkspace();
  const { password, sessionToken } = await service.addWorkspace();
  expectRefusal(
    await change(sessionToken, newAddress(), 'not the password'),
    400,
    'invalid_params',
    /`password`/,
  );
  const taken = await change(sessionToken, other.email, password);
  // A second request before the first mail is sent would replace it.
  const replaced = tokenIn(await service.waitForMail(other.email));
  const free = await change(sessionToken, newAddress(), password);
  expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  // The first link is void, because the second address replaced the first one.
  expectRefusal(await confirm(replaced), 404, 'not_found');
  expect((await change(sessionToken, other.email, password)).status).toBe(200);
  const link = tokenIn(await service.waitForMail(other.email, 2));
  expectRefusal(await confirm(link), 400, 'already_exists', /another user/);
});

test('a new password, or the present address, cancels a change of the address', async () => {
  const { email, password, sessionToken } = await service.addWorkspace();
  const [first, second] = [newAddress(), newAddress()];
  expect((await change(sessionToken, first, password)).status).toBe(200);
  const firstLink = tokenIn(await service.waitForMail(first));
  expect((await change(sessionToken, email, password)).status).toBe(200);
  expect(await me(sessionToken)).toMatchObject({ pending_email: null });
  expectRefusal(await confirm(firstLink), 404, 'not_found');

  expect((await change(sessionToken, second, password)).status).toBe(200);
  const secondLink = tokenIn(await service.waitForMail(second));
  const changed = await ask(service.url, '/api/ui/me/password', {
    token: sessionToken,
    json: { current_password: password, password: 'another long password' },
  });
  expect(changed.status).toBe(200);
  expectRefusal(await confirm(secondLink), 404, 'not_found');
  expect(await me(sessionToken)).toMatchObject({ user: { email } });
});

test('an invitation is also sent by mail, with another token, which confirms the address of who joins with it', async () => {
  const { workspaceId, sessionToken } = await service.addWorkspace();
  const path = `/api/ui/workspaces/${workspaceId}`;
  await ask(service.url, path, {
    method: 'PATCH',
    token: sessionToken,
    json: { name: 'Win now at https://evil.example' },
  });
  const email = newAddress();
  const invite = () =>
    ask(service.url, `${path}/members`, { token: sessionToken, json: { email, role: 'member' } });
  expect((await invite()).status).toBe(201);
  const replaced = tokenIn(await service.waitForMail(email));
  const shown = await invite();
  const mail = await service.waitForMail(email, 2);
  const mailed = tokenIn(mail);
  expect(mail.links[0]).toMatch(new RegExp(`^${service.url}/invite#invite=swi_`));
  expect(mail.text + mail.html + mail.header).not.toContain('evil.example');
  expect(mailed).not.toBe(shown.json?.['invite_token']);

  const join = (token: string) =>
    service.askFrom(newClient(), '/api/ui/users', {
      email,
      name: 'Invited',
      password: PASSWORD,
      invite_token: token,
    });
  expectRefusal(await join(replaced), 403, 'forbidden');
  const joined = await join(mailed);
  expect(joined.status).toBe(201);
  const token = String(joined.json?.['token']);
  expect(await me(token)).toMatchObject({
    email_confirmed: true,
    workspaces: [{ id: workspaceId }],
  });
  expectRefusal(await join(String(shown.json?.['invite_token'])), 403, 'forbidden');
});

test('the mail of a withdrawn invitation is not sent', async () => {
  const { workspaceId, userId } = await service.addWorkspace();
  const email = newAddress();
  await service.sql(
    `INSERT INTO mails (key, kind, recipient, workspace_id, expires_at)
     VALUES ($2, 'invitation', $2, $1, now() + interval '1 hour')`,
    [workspaceId, email],
  );
  expect(userId).toEqual(expect.any(String));
  await expect
    .poll(() => service.sql('SELECT 1 FROM mails WHERE recipient = $1', [email]), {
      timeout: 60_000,
    })
    .toEqual([]);
  expect(service.mailServer.mails.filter(({ to }) => to.includes(email))).toEqual([]);
});
