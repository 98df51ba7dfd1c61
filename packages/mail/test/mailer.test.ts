import { createServer } from 'node:net';
import { type MailServer, startMailServer } from '@switchboard/testing';
import { afterEach, expect, test } from 'vitest';
import { composeMail, createMailer, describeMailFailure } from '../src/index.ts';

type SMTPServerOptions = NonNullable<Parameters<typeof startMailServer>[0]>;

const servers: MailServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  servers.push(server);
  return server;
}

const TEXT = composeMail({ kind: 'email_confirmation', token: 'swe_x' }, 'https://sms.example.com');

function mailerFor(
  port: number,
  options: { isTls?: boolean; isLocal?: boolean; login?: boolean } = {},
) {
  return createMailer({
    server: {
      host: '127.0.0.1',
      port,
      isTls: options.isTls ?? false,
      isLocal: options.isLocal ?? false,
      login: options.login === true ? { user: 'user', password: 'p@ss word%' } : null,
    },
    from: { name: 'Büro, "Switchboard"', address: 'switchboard@example.com' },
    hostName: 'sms.example.com',
    timeoutMs: 5_000,
  });
}

const failureOf = async (sent: Promise<void>) =>
  describeMailFailure(
    await sent.then(
      () => null,
      (error: unknown) => error,
    ),
  );

test('a name that users chose adds no header, no recipient and no link to a mail', async () => {
  const server = await start();
  const text = composeMail(
    {
      kind: 'invitation',
      token: 'swi_x',
      workspaceName: 'Team\r\nBcc: victim@example.com\r\n\r\n<b>Win</b>',
      inviterName: 'Ada\u2028Lovelace',
    },
    'https://sms.example.com',
  );
  await mailerFor(server.port).send('bob@example.com', text);
  const [mail] = server.mails;
  expect(mail?.to).toEqual(['bob@example.com']);
  expect(mail?.header).toMatch(/^Subject: Invitation to a workspace on Switchboard$/m);
  expect(mail?.header).not.toMatch(/^Bcc/im);
  expect(mail?.text).toContain('Ada Lovelace invites you to a workspace on Switchboard.');
  expect(mail?.text).toContain('Anyone who has the link can join in your place');
  expect(mail?.html).not.toContain('<b>');
  expect(mail?.links[0]).toBe('https://sms.example.com/invite#invite=swi_x');
});

test('a mail has a sender with any name, and headers that prevent automatic replies', async () => {
  const server = await start();
  await mailerFor(server.port).send('bob@example.com', TEXT);
  const header = server.mails[0]?.header ?? '';
  expect(header).toMatch(/^From: .*<switchboard@example\.com>$/m);
  expect(header).toMatch(/^To: bob@example\.com$/m);
  expect(header).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(header).toMatch(/^X-Auto-Response-Suppress: All$/m);
});

test('a password is sent only over TLS with a valid certificate, except to this machine', async () => {
  let logins = 0;
  const onAuth: SMTPServerOptions['onAuth'] = ({ password }, _session, callback) => {
    logins += 1;
    if (password === 'p@ss word%') callback(null, { user: 'user' });
    else callback(new Error('Invalid login'));
  };
  const plain = await start({ onAuth, allowInsecureAuth: true });
  const withoutTls = mailerFor(plain.port, { login: true });
  expect((await failureOf(withoutTls.verify())).reason).toMatch(/STARTTLS/);
  // The certificate that the package has built in is valid for no machine.
  const forged = await start({ onAuth, disabledCommands: [] });
  const reason = (await failureOf(mailerFor(forged.port, { login: true }).verify())).reason;
  expect(reason).toMatch(/NODE_EXTRA_CA_CERTS/);
  expect(logins).toBe(0);
  for (const server of [plain, forged]) {
    await mailerFor(server.port, { login: true, isLocal: true }).send('bob@example.com', TEXT);
  }
  expect(logins).toBe(2);
});

test('without a password, a mail is sent over TLS if the server offers it, whatever its certificate', async () => {
  const server = await start({ disabledCommands: [] });
  await mailerFor(server.port).send('bob@example.com', TEXT);
  expect(server.mails).toHaveLength(1);
});

test('each confusion of ports is described with what to change', async () => {
  const plain = await start();
  expect((await failureOf(mailerFor(plain.port, { isTls: true }).verify())).reason).toMatch(
    /does not begin with TLS: use smtp:\/\//,
  );
  const silent = createServer(() => undefined);
  const { port, close } = await listenTo(silent);
  expect((await failureOf(mailerFor(port).verify())).reason).toMatch(/use smtps:\/\//);
  await close();
  const refused = await failureOf(mailerFor(port).verify());
  expect(refused).toEqual({ isPermanent: false, reason: expect.stringContaining('ECONNREFUSED') });
});

test('only a refused recipient or text is given up; a refused login, sender or relay is tried again', async () => {
  const refuse = (message: string, responseCode: number) =>
    Object.assign(new Error(message), { responseCode });
  const failWith = async (options: SMTPServerOptions) => {
    const server = await start(options);
    return failureOf(mailerFor(server.port).send('bob@example.com', TEXT));
  };
  const unknown = await failWith({
    onRcptTo: (_address, _session, callback) =>
      callback(refuse('5.1.1 <bob@example.com>: no such mailbox', 550)),
  });
  expect(unknown.isPermanent).toBe(true);
  expect(unknown.reason).toContain('no such mailbox');
  expect(unknown.reason).not.toContain('bob@example.com');
  const others = [
    await failWith({
      onRcptTo: (_address, _session, callback) => callback(refuse('4.7.1 greylisted', 451)),
    }),
    await failWith({
      onRcptTo: (_address, _session, callback) =>
        callback(refuse('5.7.1 Relaying denied, authentication required', 550)),
    }),
    await failWith({
      onMailFrom: (_address, _session, callback) => callback(refuse('5.1.8 bad sender', 553)),
    }),
  ];
  expect(others.map(({ isPermanent }) => isPermanent)).toEqual([false, false, false]);
});

async function listenTo(server: ReturnType<typeof createServer>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}
