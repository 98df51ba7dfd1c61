import { startMailServer } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();
const MAIL_FROM = 'switchboard@example.com';

test('doctor connects to the mail server, and reports a refused login and mails that were not sent', async () => {
  const without = await doctor.run();
  expect(without['mail']).toMatch(/^good: SMTP_URL is not set, .*npm run reset-password/);
  const server = await startMailServer({
    onAuth: ({ password }, _session, callback) =>
      password === 'right' ? callback(null, { user: 'u' }) : callback(new Error('Invalid login')),
    allowInsecureAuth: true,
  });
  try {
    const login = (password: string) => ({
      SMTP_URL: server.url.replace('//', `//user:${password}@`),
      MAIL_FROM,
    });
    const good = await doctor.run(login('right'));
    expect(good['mail']).toBe('good: The mail server accepts the connection.');
    expect(good['waiting mails']).toBeUndefined();
    await doctor.query(
      `INSERT INTO mails (key, kind, recipient, expires_at, last_error)
       VALUES ('a', 'password_reset', 'a@example.com', now() + interval '1 hour', 'read ECONNRESET')`,
    );
    const wrong = await doctor.run(login('wrong'));
    expect(wrong['mail']).toMatch(/^problem: .*check user and password in SMTP_URL: .*Invalid/);
    expect(wrong['waiting mails']).toBe(
      'problem: 1 mails could not be sent and are tried again, the latest because: read ECONNRESET.',
    );
  } finally {
    await server.close();
  }
  const closed = await doctor.run({ SMTP_URL: server.url, MAIL_FROM });
  expect(closed['mail']).toMatch(/^problem: The mail server cannot be used: .*ECONNREFUSED/);
  const half = await doctor.run({ SMTP_URL: server.url });
  expect(half['settings']).toMatch(/SMTP_URL: needs MAIL_FROM as well/);
});
