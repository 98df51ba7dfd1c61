import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, type Server, connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { certificatePath, createWorkspaceFixture } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { checkCertificate } from '../../src/doctor/check-certificate.ts';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

/** Starts a proxy that terminates TLS in front of the API. */
async function startTlsProxy(): Promise<{ url: string; close(): void }> {
  const target = new URL(doctor.apiUrl());
  const server = createTlsServer(
    {
      cert: readFileSync(certificatePath('server.pem')),
      key: readFileSync(certificatePath('server.key')),
    },
    (socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    },
  );
  const url = await listen(server);
  return { url: url.replace('http:', 'https:'), close: () => server.close() };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('doctor reports TRUST_PROXY=0 with an https PUBLIC_URL as a problem, because there must be a proxy', async () => {
  const proxy = await startTlsProxy();
  const env = {
    PUBLIC_URL: proxy.url,
    NODE_EXTRA_CA_CERTS: certificatePath('authority.pem'),
  };
  try {
    const { report } = await doctor.spawn(env);
    expect(report['proxy']).toMatch(/^problem: .*TRUST_PROXY is 0.*Set TRUST_PROXY to the number/);
    expect(report['public URL']).toMatch(/^warning: .*this machine's own/);
    expect(report['certificate']).toMatch(/^good: Valid until 2126-/);
    const { report: trusted } = await doctor.spawn({ ...env, TRUST_PROXY: '1' });
    expect(trusted['proxy']).toBe('good: TRUST_PROXY is 1.');
  } finally {
    proxy.close();
  }
});

test('doctor reports TRUST_PROXY without a proxy as a warning, because clients can forge their address', async () => {
  const report = await doctor.run({ TRUST_PROXY: '1' });
  expect(report['proxy']).toMatch(/^warning: .*can forge their address/);
});

test('doctor reports a certificate that expires soon as a warning, and an expired one as a problem', async () => {
  const proxy = await startTlsProxy();
  const at = async (day: string) => {
    const [finding] = await checkCertificate(proxy.url, Date.parse(day));
    return `${finding?.result}: ${finding?.detail}`;
  };
  try {
    expect(await at('2126-10-10')).toBe('good: Valid until 2126-10-27.');
    expect(await at('2126-10-14')).toMatch(/^warning: .*expires on 2126-10-27/);
    expect(await at('2126-10-28')).toMatch(/^problem: .*expired on 2126-10-27: renew it/);
  } finally {
    proxy.close();
  }
});

test('doctor reports another web server that responds with 200 at PUBLIC_URL as a problem', async () => {
  const other = createServer((request, response) => {
    // Another server may also answer 200 with this body, but it does not return the request's ID.
    response.end(request.url === '/health/live' ? '{"status":"ok"}' : 'Welcome');
  });
  const url = await listen(other);
  try {
    const report = await doctor.run({ PUBLIC_URL: url });
    expect(report['public URL']).toMatch(/^problem: .*not a Switchboard API: check DNS/);
  } finally {
    other.close();
    other.closeAllConnections();
  }
});

test('doctor reports a provider that does not respond as a problem for the operator, not for the workspace’s owner', async () => {
  await createWorkspaceFixture(doctor.databaseUrl());
  await createWorkspaceFixture(doctor.databaseUrl());
  const report = await doctor.run({ TWILIO_API_URL: 'http://127.0.0.1:1' });
  expect(report['providers']).toMatch(
    /^problem: The provider does not respond .* 2 of 2 workspaces.*check TWILIO_API_URL, DNS and the/,
  );
  expect(report['provider clock']).toMatch(/^problem: .*can't be reached from this machine/);
  expect(JSON.stringify(report)).not.toContain('owner');
});

test('doctor reports a provider whose clock differs from the database’s clock as a problem', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() + 600_000).toUTCString()).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const report = await doctor.run({ TWILIO_API_URL: `http://127.0.0.1:${port}` });
    expect(report['provider clock']).toMatch(
      /^problem: The provider's clock .* differ by (5\d\d|600)/,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('doctor reports a PUBLIC_URL without TLS as a problem', async () => {
  const report = await doctor.run({ PUBLIC_URL: 'http://messages.example.com' });
  expect(report['public URL']).toMatch(/^problem: .*is not an https URL/);
});
