import { createSessionToken } from '@switchboard/credentials';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, shareService } from '../start-service.ts';

let service: Service;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());

const emailOf = async (token: string) => {
  const { status, json } = await ask(service.url, '/api/ui/me', { token });
  const user = json?.['user'] as { email: string } | undefined;
  return user?.email ?? status;
};

test('a login gives a new token, whatever token the client brings, and no token that an attacker chose becomes the user’s', async () => {
  const attacker = await service.addWorkspace();
  const victim = await service.addWorkspace();
  const { email, password } = victim;
  const tokens = new Set<string>();
  for (const planted of [attacker.sessionToken, createSessionToken()]) {
    const headers = {
      authorization: `Bearer ${planted}`,
      cookie: `session=${planted}; switchboard_sign_in=${planted}; switchboard.session=${planted}`,
    };
    const login = await ask(service.url, '/api/ui/sessions', {
      headers,
      json: { email, password },
    });
    expect(login.status).toBe(201);
    const token = String(login.json?.['token']);
    expect(token).not.toBe(planted);
    expect(await emailOf(token)).toBe(email);
    expect(await emailOf(planted)).toBe(planted === attacker.sessionToken ? attacker.email : 401);
    tokens.add(token);
  }
  expect(tokens.size).toBe(2);
});

test('a new password ends the token that an attacker knows', async () => {
  const { email, password, sessionToken: known } = await service.addWorkspace();
  const own = await ask(service.url, '/api/ui/sessions', { json: { email, password } });
  const token = String(own.json?.['token']);
  const json = { current_password: password, password: 'a new password of the owner' };
  expect((await ask(service.url, '/api/ui/me/password', { token, json })).status).toBe(200);
  expect(await emailOf(known)).toBe(401);
  expect(await emailOf(token)).toBe(email);
});
