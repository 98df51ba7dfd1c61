import { createServer } from 'node:http';
import { listen, startIdentityProvider } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

/** Starts a provider whose responses a test decides; `tokens` is what it responds to the code. */
async function startProvider() {
  const bodies: Record<string, string> = {};
  const tokens = { requests: 0, status: 400, body: '{"error":"invalid_grant"}' };
  const server = createServer(({ url = '' }, response) => {
    if (url === '/token') tokens.requests += 1;
    const body = bodies[url];
    if (body === undefined) response.writeHead(tokens.status).end(tokens.body);
    else response.end(body);
  });
  const provider = await listen(server);
  onTestFinished(() => provider.close());
  const { url: issuer } = provider;
  const metadata = JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    jwks_uri: `${issuer}/keys`,
    token_endpoint: `${issuer}/token`,
  });
  const report = async (given: string, keys: object = { keys: [{ kty: 'RSA' }] }) => {
    bodies['/.well-known/openid-configuration'] = given;
    bodies['/keys'] = JSON.stringify(keys);
    const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
    return (await doctor.run(env))['single sign-on'];
  };
  return { issuer, metadata, report, tokens };
}

test('doctor reads the identity provider’s metadata and keys, and names a wrong client or issuer', async () => {
  expect((await doctor.run())['single sign-on']).toBeUndefined();
  const idp = await startIdentityProvider();
  onTestFinished(() => idp.close());
  idp.allow(`${doctor.apiUrl()}/api/ui/oidc/callback`);
  const report = async (changes: Record<string, string> = {}) =>
    (await doctor.run({ ...idp.env, ...changes }))['single sign-on'];
  expect(await report()).toBe(`good: ${idp.issuer} can be used.`);
  expect(await report({ OIDC_ISSUER: `${idp.issuer}/` })).toMatch(/^good/);
  const wrongClient =
    /^problem: The provider refuses the client \(invalid_client\): correct OIDC_C/;
  expect(await report({ OIDC_CLIENT_SECRET: 'wrong' })).toMatch(wrongClient);
  expect(await report({ OIDC_CLIENT_ID: 'unknown' })).toMatch(wrongClient);
  const { port } = new URL(idp.issuer);
  expect(await report({ OIDC_ISSUER: `http://localhost:${port}` })).toBe(
    `problem: OIDC_ISSUER is http://localhost:${port}, but the provider calls itself ${idp.issuer}: set OIDC_ISSUER to that.`,
  );
  expect(await report({ OIDC_ISSUER: `${idp.issuer}/realms/typo` })).toMatch(
    /^problem: .*\/realms\/typo\/\.well-known\/openid-configuration responds with 404: check OIDC_ISSUER/,
  );
  await idp.close();
  expect(await report()).toMatch(/^problem: .* can't be reached from this machine .*ECONNREFUSED/);
});

test('doctor names a page instead of metadata, missing endpoints, and a provider without a public key', async () => {
  const { issuer, metadata, report } = await startProvider();
  expect(await report('<!doctype html>')).toMatch(
    /^problem: .* does not respond with a JSON object/,
  );
  expect(await report('{}')).toMatch(
    /^problem: .* does not name issuer, authorization_endpoint, token_endpoint and jwks_uri/,
  );
  const { authorization_endpoint: _, ...incomplete } = JSON.parse(metadata) as Record<
    string,
    string
  >;
  expect(await report(JSON.stringify(incomplete))).toMatch(/does not name issuer, authorization_/);
  expect(await report(metadata, { keys: [] })).toMatch(
    /^problem: .*\/keys has no public signing key/,
  );
  for (const key of [{ kty: 'oct' }, { kty: 'RSA', use: 'enc' }]) {
    expect(await report(metadata, { keys: [key] })).toMatch(/has no public signing key/);
  }
  expect(await report(metadata, { keys: [{ kty: 'RSA' }] })).toBe(`good: ${issuer} can be used.`);
});

test('doctor calls single sign-on good only if the provider accepts the client and refuses the code', async () => {
  const { issuer, metadata, report, tokens } = await startProvider();
  for (const [status, body, described] of [
    [404, 'Not found', '404 without an error code'],
    [403, '', '403 without an error code'],
    [302, '', '302 without an error code'],
    [401, '', '401 without an error code'],
    [400, '{"error":"invalid_request"}', '400 and invalid_request'],
    [200, '{}', '200 without an error code'],
  ] as const) {
    Object.assign(tokens, { status, body });
    expect(await report(metadata)).toContain(`warning: ${issuer}/token responds with ${described}`);
  }
  Object.assign(tokens, { status: 400, body: '{"error": "invalid_grant"}' });
  expect(await report(metadata)).toBe(`good: ${issuer} can be used.`);
});

test('doctor names an issuer for many tenants, and sends no secret to an address that is not https', async () => {
  const { issuer, metadata, report, tokens } = await startProvider();
  const changed = (fields: object) => JSON.stringify({ ...JSON.parse(metadata), ...fields });
  expect(await report(changed({ issuer: `${issuer}/{tenantid}/v2.0` }))).toMatch(
    /^problem: OIDC_ISSUER is .* for many tenants: replace common, /,
  );
  const token_endpoint = `ftp${issuer.slice('http'.length)}/token`;
  expect(await report(changed({ token_endpoint }))).toMatch(
    /^problem: .* names ftp:.*\/token, which is not an https address/,
  );
  expect(tokens.requests).toBe(0);
});
