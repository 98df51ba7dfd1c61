import { createServer } from 'node:http';
import { listen, startIdentityProvider } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

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
  const bodies: Record<string, string> = {};
  const server = createServer(({ url = '' }, response) => {
    response.end(bodies[url] ?? '{"error":"invalid_grant"}');
  });
  const provider = await listen(server);
  onTestFinished(() => provider.close());
  const { url: issuer } = provider;
  const report = async (metadata: string, keys: object = {}) => {
    bodies['/.well-known/openid-configuration'] = metadata;
    bodies['/keys'] = JSON.stringify(keys);
    const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
    return (await doctor.run(env))['single sign-on'];
  };
  expect(await report('<!doctype html>')).toMatch(
    /^problem: .* does not respond with a JSON object/,
  );
  expect(await report('{}')).toMatch(
    /^problem: .* does not name issuer, jwks_uri and token_endpoint/,
  );
  const metadata = JSON.stringify({
    issuer,
    jwks_uri: `${issuer}/keys`,
    token_endpoint: `${issuer}/token`,
  });
  expect(await report(metadata, { keys: [] })).toMatch(/^problem: .*\/keys has no public key/);
  expect(await report(metadata, { keys: [{ kty: 'oct' }] })).toMatch(/has no public key/);
  expect(await report(metadata, { keys: [{ kty: 'RSA' }] })).toBe(`good: ${issuer} can be used.`);
});
