import { describe, expect, test } from 'vitest';
import { ask, expectRefusal, startService, upwards } from './start-service.ts';

const PERSON = { email: 'First@Example.com', password: 'correct horse battery', name: 'First' };

describe('sign-up', () => {
  const signUp = (url: string, json: unknown) => ask(url, '/api/ui/users', { json });

  test('of many concurrent first sign-ups, exactly one succeeds, and sign-up is then closed', async () => {
    const service = await startService({ apis: 2 });
    const readState = async () => (await ask(service.url, '/api/ui/users')).json;
    try {
      expect(await readState()).toMatchObject({ sign_up: 'open', sends_mail: false });
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          signUp(service.apis[n % 2]?.url ?? '', { ...PERSON, email: `person-${n}@example.com` }),
        ),
      );
      const statuses = responses.map(({ status }) => status).toSorted(upwards);
      expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 403)]);
      expect(await service.countRows('users')).toBe(1);
      expect(await readState()).toMatchObject({ sign_up: 'closed', sends_mail: false });
      const refused = await signUp(service.url, { ...PERSON, email: 'late@example.com' });
      expectRefusal(refused, 403, 'forbidden', /^Insufficient permissions for the resource/);
      const winner = responses.find(({ status }) => status === 201);
      const me = await ask(service.url, '/api/ui/me', { token: String(winner?.json?.['token']) });
      expect(me.json).toMatchObject({ user: winner?.json?.['user'], workspaces: [] });
    } finally {
      await service.close();
    }
  });

  test('sign-up validates its input, starts a session and accepts each email address once, ignoring case', async () => {
    const service = await startService({ env: { ALLOW_SIGNUP: 'true' } });
    try {
      const wrong: [unknown, string, RegExp][] = [
        [{}, 'missing_params', /`email`.*`password`.*`name`/],
        [{ ...PERSON, email: null }, 'missing_params', /`email`/],
        [{ ...PERSON, password: '' }, 'missing_params', /`password`/],
        [{ ...PERSON, name: undefined }, 'missing_params', /`name`/],
        [{ ...PERSON, email: 7, name: '' }, 'missing_params', /`name`/],
        [{ ...PERSON, email: 7 }, 'invalid_params', /`email`/],
        [{ ...PERSON, email: 'nobody' }, 'invalid_params', /`email`/],
        [{ ...PERSON, email: 'a b@c.example' }, 'invalid_params', /`email`/],
        [{ ...PERSON, email: 'a@b' }, 'invalid_params', /`email`/],
        [{ ...PERSON, email: 'a\u200b@c.example' }, 'invalid_params', /`email`/],
        [{ ...PERSON, email: 'a@b\0.example' }, 'invalid_params', /`email`/],
        [{ ...PERSON, email: 'a@b\ud800.example' }, 'invalid_params', /`email`/],
        [{ ...PERSON, email: `${'a'.repeat(250)}@b.example` }, 'invalid_params', /`email`/],
        [{ ...PERSON, password: '11 letters.' }, 'invalid_params', /`password`/],
        [{ ...PERSON, password: 'p'.repeat(257) }, 'invalid_params', /`password`/],
        [{ ...PERSON, password: 'é'.repeat(129) }, 'invalid_params', /`password`/],
        [{ ...PERSON, password: 123456789012 }, 'invalid_params', /`password`/],
        [{ ...PERSON, password: `${'p'.repeat(20)}\0` }, 'invalid_params', /`password`/],
        [{ ...PERSON, name: '   ' }, 'invalid_params', /`name`/],
        [{ ...PERSON, name: 'n'.repeat(101) }, 'invalid_params', /`name`/],
        [{ ...PERSON, name: ['x'] }, 'invalid_params', /`name`/],
      ];
      for (const [json, error, detail] of wrong)
        expectRefusal(await signUp(service.url, json), 400, error, detail);
      expect(await service.countRows('users')).toBe(0);

      const created = await signUp(service.url, {
        ...PERSON,
        id: 'x',
        role: 'owner',
        passwordHash: 'x',
      });
      expect(created.status).toBe(201);
      expect(created.json).toStrictEqual({
        user: { id: expect.any(String), email: 'first@example.com', name: 'First' },
        token: expect.stringMatching(/^[A-Za-z0-9._-]+$/),
        expires_at: expect.stringMatching(/\.\d{3}Z$/),
      });
      expectRefusal(
        await signUp(service.url, { ...PERSON, email: 'FIRST@example.COM' }),
        400,
        'already_exists',
        /`email`/,
      );
      const german = { ...PERSON, email: 'first@xn--bcher-kva.example' };
      expect((await signUp(service.url, german)).status).toBe(201);
      for (const email of ['ｆirst@example.com', 'first@example．com', 'First@BÜCHER.example']) {
        expectRefusal(await signUp(service.url, { ...PERSON, email }), 400, 'already_exists');
        const json = { email, password: PERSON.password };
        expect([email, (await ask(service.url, '/api/ui/sessions', { json })).status]).toEqual([
          email,
          201,
        ]);
      }
      const many = await Promise.all(
        Array.from({ length: 6 }, () =>
          signUp(service.url, { ...PERSON, email: 'race@example.com' }),
        ),
      );
      expect(many.map(({ status }) => status).toSorted(upwards)).toEqual([
        201, 400, 400, 400, 400, 400,
      ]);
      for (const password of ['exactly 12 b', 'p'.repeat(256), 'é'.repeat(128)]) {
        const email = `length-${password.length}@example.com`;
        expect((await signUp(service.url, { ...PERSON, email, password })).status).toBe(201);
        expect(
          (await ask(service.url, '/api/ui/sessions', { json: { email, password } })).status,
        ).toBe(201);
      }
      const rows = await service.sql<{ t: string }>('SELECT users::text AS t FROM users');
      expect(rows.some(({ t }) => t.includes(PERSON.password))).toBe(false);
    } finally {
      await service.close();
    }
  });
});
