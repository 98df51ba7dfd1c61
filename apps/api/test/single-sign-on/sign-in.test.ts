import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../start-service.ts';
import { type SignOnService, addPerson, signIn, startSignOnService } from './environment.ts';

let service: SignOnService;

beforeAll(async () => {
  service = await startSignOnService({ env: { ALLOW_SIGNUP: 'true' } });
});
afterAll(() => service.close());

test('a first sign-in creates a user with a confirmed address and no password, and the second is the same user', async () => {
  const { sub, email } = addPerson(service.idp, { name: 'Ada Lovelace' });
  const first = await signIn(service, sub);
  expect(first.error).toBeNull();
  expect(first.session?.token).toMatch(/^sws_\w{43}$/);
  const me = await ask(service.url, '/api/ui/me', { token: first.session?.token ?? '' });
  expect(me.json).toMatchObject({
    user: { email, name: 'Ada Lovelace' },
    email_confirmed: true,
    has_password: false,
    identity: { email },
  });
  const again = await signIn(service, sub);
  expect(again.session?.user.id).toBe(first.session?.user.id);
  const [row] = await service.sql<{ sign_in_method: string }>(
    'SELECT sign_in_method FROM sessions WHERE user_id = $1',
    [first.session?.user.id],
  );
  expect(row?.sign_in_method).toBe('single_sign_on');
});
