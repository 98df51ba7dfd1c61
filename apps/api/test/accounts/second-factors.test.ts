import { hashToken } from '@switchboard/credentials';
import { numbersTo, sendEach } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { dataOf } from '../workspace-client.ts';
import { type MailingService, startMailingService } from './environment.ts';
import { codeOf, setUpFactor, wrongCodeOf } from './second-factor-client.ts';

let service: MailingService;

beforeAll(async () => {
  service = await startMailingService();
});
afterAll(() => service.close());

const REQUIRED = /^Second factor required$/;
let clients = 0;
const newClient = () => `203.0.${Math.floor((clients += 1) / 250)}.${(clients % 250) + 1}`;
const logIn = (body: object, client = newClient()) =>
  service.askFrom(client, '/api/ui/sessions', body);
const me = async (token: string) => (await ask(service.url, '/api/ui/me', { token })).json;
const totp = (token: string, path: string, json: object, method = 'POST') =>
  ask(service.url, `/api/ui/totp${path}`, { token, json, method });
const auditOf = async (workspaceId: string, token: string) => {
  const path = `/api/ui/workspaces/${workspaceId}/audit`;
  return dataOf(await ask(service.url, path, { token })).map((entry) => entry['action']);
};

test('a factor counts from its confirmation on: it ends the other sessions, and a login needs a code that was not used', async () => {
  const owner = await service.addWorkspace();
  const { email, password, sessionToken, workspaceId } = owner;
  const other = String((await logIn({ email, password })).json?.['token']);
  const begun = await totp(sessionToken, '', { password });
  const secret = String(begun.json?.['secret']);
  const label = encodeURIComponent(email);
  expect(begun.json).toEqual({
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    uri: `otpauth://totp/Switchboard:${label}?secret=${secret}&issuer=Switchboard&algorithm=SHA1&digits=6&period=30`,
  });
  expect((await logIn({ email, password })).status).toBe(201);
  expect(await me(sessionToken)).toMatchObject({ second_factor: null });

  const wrong = await totp(sessionToken, '/confirm', { code: wrongCodeOf(secret) });
  expectRefusal(wrong, 400, 'invalid_params', /`code`/);
  const code = codeOf(secret);
  const typed = `${code.slice(0, 3)} ${code.slice(3)} `;
  const confirmed = await totp(sessionToken, '/confirm', { code: typed });
  expect(confirmed.json?.['recovery_codes']).toHaveLength(10);
  expectRefusal(await ask(service.url, '/api/ui/me', { token: other }), 401, 'unauthorized');
  expect(await me(sessionToken)).toMatchObject({ second_factor: { recovery_codes_left: 10 } });

  expectRefusal(await logIn({ email, password }), 401, 'unauthorized', REQUIRED);
  // The code that finished the set-up is used, too.
  expectRefusal(
    await logIn({ email, password, totp_code: code }),
    401,
    'unauthorized',
    /`totp_code`.* once/,
  );
  const next = codeOf(secret, 1);
  expect((await logIn({ email, password, totp_code: next })).status).toBe(201);
  expectRefusal(await logIn({ email, password, totp_code: next }), 401, 'unauthorized');
  // An earlier code than the last one is refused, even if it was not used.
  expectRefusal(await logIn({ email, password, totp_code: codeOf(secret) }), 401, 'unauthorized');

  expect(await auditOf(workspaceId, sessionToken)).toEqual(['member.second_factor_enabled']);
  const mail = await service.waitForMail(email);
  expect(mail.header).toMatch(/^Subject: Your account now has a second factor$/m);
  const [row] = await service.sql<{ stored: string }>(
    `SELECT row_to_json(f)::text || (SELECT json_agg(c)::text FROM recovery_codes c
     WHERE c.user_id = f.user_id) AS stored FROM second_factors f WHERE user_id = $1`,
    [owner.userId],
  );
  expect(row?.stored).not.toContain(secret);
  const codes = confirmed.json?.['recovery_codes'] as string[];
  for (const each of codes) {
    expect(row?.stored).not.toContain(each);
  }
});

test('a session that is older than ten minutes can set up a factor only with the password', async () => {
  const { password, sessionToken, userId } = await service.addWorkspace();
  const begin = (json: object) => totp(sessionToken, '', json);
  expect((await begin({})).status).toBe(201);
  await service.sql(
    `UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`,
    [userId],
  );
  expectRefusal(await begin({}), 400, 'missing_params', /`password`/);
  expectRefusal(await begin({ password: 'not it' }), 400, 'invalid_params', /`password`/);
  expect((await begin({ password })).status).toBe(201);
});

test('a set-up that is an hour old, or was replaced by another one, cannot be finished', async () => {
  const { password, sessionToken, userId } = await service.addWorkspace();
  const first = String((await totp(sessionToken, '', { password })).json?.['secret']);
  const second = String((await totp(sessionToken, '', { password })).json?.['secret']);
  const confirm = (secret: string) => totp(sessionToken, '/confirm', { code: codeOf(secret) });
  expectRefusal(await confirm(first), 400, 'invalid_params', /`code`/);
  await service.sql(
    `UPDATE second_factors SET created_at = now() - interval '61 minutes' WHERE user_id = $1`,
    [userId],
  );
  expectRefusal(await confirm(second), 400, 'invalid_state', /hour ago/);
});

test('200 logins at the same time with one code begin one session', async () => {
  const owner = await service.addWorkspace();
  const { email, password } = owner;
  const factor = await setUpFactor(service, owner);
  const code = await factor.nextCode();
  const responses = await sendEach(
    numbersTo(200),
    () => logIn({ email, password, totp_code: code }),
    { status: [201, 401, 429], atOnce: 20 },
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
});

test('a recovery code works once, also for logins at the same time, and however it is typed', async () => {
  const owner = await service.addWorkspace();
  const { email, password, sessionToken, workspaceId } = owner;
  const { recoveryCodes } = await setUpFactor(service, owner);
  const [first = '', second = ''] = recoveryCodes;
  const use = (code: string) => logIn({ email, password, recovery_code: code });
  const responses = await Promise.all([use(first), use(first), use(first), use(first)]);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expectRefusal(await use(first), 401, 'unauthorized', /`recovery_code`.* not used before/);
  expect((await use(` ${second.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(201);
  expect(await me(sessionToken)).toMatchObject({ second_factor: { recovery_codes_left: 8 } });
  expect(await auditOf(workspaceId, sessionToken)).toEqual([
    'member.recovery_code_used',
    'member.recovery_code_used',
    'member.second_factor_enabled',
  ]);
});

test('guesses from many addresses end after 50 codes, and the owner still gets in with a recovery code or a new password', async () => {
  const owner = await service.addWorkspace();
  const { email, password, sessionToken } = owner;
  const factor = await setUpFactor(service, owner);
  const wrong = wrongCodeOf(factor.secret);
  const guesses = await sendEach(
    numbersTo(55),
    () => logIn({ email, password, totp_code: wrong }),
    { status: [401, 429], atOnce: 4 },
  );
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5);
  const right = await logIn({ email, password, totp_code: await factor.nextCode() });
  expectRefusal(right, 429, 'rate_limited', /recovery code/);
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(3_000);
  const recovered = await logIn({ email, password, recovery_code: factor.recoveryCodes[0] });
  expect(recovered.status).toBe(201);
  const subject = /^Subject: Someone knows your Switchboard password$/m;
  const warned = () =>
    service.mailServer.mails.some(({ to, header }) => to.includes(email) && subject.test(header));
  await expect.poll(warned, { timeout: 60_000 }).toBe(true);

  const newer = 'a newer and longer password';
  const changed = await ask(service.url, '/api/ui/me/password', {
    token: sessionToken,
    json: { current_password: password, password: newer },
  });
  expect(changed.status).toBe(200);
  const again = await logIn({ email, password: newer, totp_code: await factor.nextCode() });
  expect(again.status).toBe(201);
});

test('one address is allowed ten wrong codes, and its failures do not count for other addresses', async () => {
  const owner = await service.addWorkspace();
  const { email, password } = owner;
  const factor = await setUpFactor(service, owner);
  const guesser = newClient();
  const body = { email, password, recovery_code: 'not-a-code' };
  const guesses = await sendEach(numbersTo(12), () => logIn(body, guesser), {
    status: [401, 429],
    atOnce: 1,
  });
  expect(guesses.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429]);
  const right = { email, password, recovery_code: factor.recoveryCodes[0] };
  expect((await logIn(right)).status).toBe(201);
});

test('a client that does not know the password uses up no limit of the factor, and cannot see that there is one', async () => {
  const owner = await service.addWorkspace();
  const plain = await service.addWorkspace();
  const factor = await setUpFactor(service, owner);
  const wrong = wrongCodeOf(factor.secret);
  const addresses = [owner.email, plain.email, `nobody-${owner.email}`];
  const extras = [{}, { totp_code: wrong }, { recovery_code: factor.recoveryCodes[0] }];
  const seen = new Set<string>();
  for (const email of addresses) {
    for (const extra of extras) {
      const { status, text, headers } = await logIn({ email, password: 'not it', ...extra });
      seen.add(JSON.stringify([status, text, [...headers.keys()].toSorted()]));
    }
  }
  expect([...seen]).toHaveLength(1);
  expect([...seen][0]).toContain('Wrong email or password');
  // A malformed code is refused before the account is looked up.
  for (const email of addresses) {
    const malformed = await logIn({ email, password: 'not it', totp_code: '12345' });
    expectRefusal(malformed, 400, 'invalid_params', /`totp_code` must have 6 digits/);
  }

  await sendEach(
    numbersTo(40),
    () => logIn({ email: owner.email, password: 'not it', totp_code: wrong }),
    { status: 401, atOnce: 4 },
  );
  const { email, password } = owner;
  const own = await logIn({ email, password, totp_code: await factor.nextCode() });
  expect(own.status).toBe(201);
  expect((await me(String(own.json?.['token'])))?.['second_factor']).toMatchObject({
    recovery_codes_left: 10,
  });
});

test('a wrong code is no wrong password: it does not use up the limit of logins', async () => {
  const owner = await service.addWorkspace();
  const { email, password } = owner;
  const factor = await setUpFactor(service, owner);
  const client = newClient();
  // The first step of a login in the dashboard is such a request, each time.
  await sendEach(numbersTo(15), () => logIn({ email, password }, client), {
    status: 401,
    atOnce: 1,
  });
  const own = await logIn({ email, password, totp_code: await factor.nextCode() }, client);
  expect(own.status).toBe(201);
});

async function resetByMail({ email, userId }: { email: string; userId: string }): Promise<string> {
  await service.sql(
    `INSERT INTO account_tokens (user_id, purpose, token_hash, email, is_mailed, expires_at)
     VALUES ($1, 'password_reset', $2, $3, true, now() + interval '1 hour')`,
    [userId, hashToken(`swr_${email}`), email],
  );
  const password = 'a newer and longer password';
  const reset = await service.askFrom(newClient(), `/api/ui/password-resets/swr_${email}`, {
    password,
  });
  expect([reset.status, reset.json]).toEqual([200, { ok: true }]);
  return password;
}

test('a link that resets the password does not replace the factor', async () => {
  const owner = await service.addWorkspace();
  const [{ email }, factor] = [owner, await setUpFactor(service, owner)];
  await service.sql('UPDATE users SET email_confirmed_at = now() WHERE email = $1', [email]);
  const password = await resetByMail(owner);
  expectRefusal(await logIn({ email, password }), 401, 'unauthorized', REQUIRED);
  const totp_code = await factor.nextCode();
  expect((await logIn({ email, password, totp_code })).status).toBe(201);
});

test('a stranger who registers an address and turns a factor on does not lock out its owner, who resets by mail', async () => {
  const stranger = await service.addWorkspace();
  await setUpFactor(service, stranger);
  const password = await resetByMail(stranger);
  expect((await logIn({ email: stranger.email, password })).status).toBe(201);
});

test('a stolen session does not turn the factor off or read new recovery codes: both need the password and a code', async () => {
  const owner = await service.addWorkspace();
  const { email, password, sessionToken, workspaceId } = owner;
  const factor = await setUpFactor(service, owner);
  const wrong = wrongCodeOf(factor.secret);
  const requests = [
    (json: object) => totp(sessionToken, '', json, 'DELETE'),
    (json: object) => totp(sessionToken, '/recovery-codes', json),
  ];
  for (const send of requests) {
    expectRefusal(await send({}), 400, 'missing_params', /`password`, `code`/);
    const code = await factor.nextCode();
    expectRefusal(await send({ password: 'not it', code }), 400, 'invalid_params', /`password`/);
    expectRefusal(await send({ password, code: wrong }), 400, 'invalid_params', /`code`/);
  }
  expectRefusal(await totp(sessionToken, '', { password }), 400, 'invalid_state', /turn it off/);

  const [remove, renew] = requests;
  const renewed = await renew?.({ password, code: await factor.nextCode() });
  const fresh = renewed?.json?.['recovery_codes'] as string[];
  expect(fresh).toHaveLength(10);
  const old = await logIn({ email, password, recovery_code: factor.recoveryCodes[0] });
  expectRefusal(old, 401, 'unauthorized');
  expect((await remove?.({ password, code: fresh[0] }))?.status).toBe(200);
  expect((await logIn({ email, password })).status).toBe(201);
  expect(await me(sessionToken)).toMatchObject({ second_factor: null });
  expectRefusal(
    await totp(sessionToken, '', { password, code: '123456' }, 'DELETE'),
    400,
    'invalid_state',
  );
  expect((await auditOf(workspaceId, sessionToken)).slice(0, 3)).toEqual([
    'member.second_factor_disabled',
    'member.recovery_code_used',
    'member.recovery_codes_created',
  ]);
});
