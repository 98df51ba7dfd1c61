import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createLogger } from '@switchboard/runtime';
import { TEST_SECRET_KEY, createTestDatabase } from '@switchboard/testing';
import { listEndpoints, routes, webhookEvent } from '@switchboard/contracts';
import { WEBHOOK_EVENT_TYPES } from '@switchboard/core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { readApiConfig } from '../src/config.ts';
import { createDependencies } from '../src/dependencies.ts';
import { documents, isDocumentedPart } from './documented.ts';
import { type ApiResponse, ask } from './start-service.ts';

const ADDRESSES = ['/openapi.json', '/openapi/dashboard.json'];
const registered = new Set<string>();
const served = new Map<string, ApiResponse>();
let page: ApiResponse;
let script: ApiResponse;
let start: ApiResponse;

beforeAll(async () => {
  const database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('REDIS_URL', '');
  vi.stubEnv('SECRET_KEY', TEST_SECRET_KEY);
  vi.stubEnv('PUBLIC_URL', 'http://switchboard.test');
  const config = readApiConfig();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const dependencies = await createDependencies(config, logger);
  const app = await createApp(dependencies, {
    logger,
    trustedProxies: 0,
    onRoute({ method, url }) {
      const path = url.replaceAll(/:(\w+)/g, '{$1}');
      for (const one of [method].flat()) if (one !== 'HEAD') registered.add(`${one} ${path}`);
    },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  for (const address of ADDRESSES) served.set(address, await ask(url, address));
  page = await ask(url, '/docs');
  script = await ask(url, '/docs/scalar.js');
  start = await ask(url, '/docs/start.js');
  await app.close();
  await dependencies.close();
  await database.drop();
});
afterAll(() => void vi.unstubAllEnvs());

const textOf = (address: string) => served.get(address)?.text ?? '';

test('the two OpenAPI documents together contain every route of the service, and no other', () => {
  const ours = [...registered].filter((key) => isDocumentedPart(key.split(' ')[1] ?? ''));
  const described = documents.flatMap((document) => [
    ...Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    ),
    ...document['x-websockets'].map(({ path }) => `GET ${path}`),
  ]);
  expect(described.toSorted()).toEqual(ours.toSorted());
});

test('the first OpenAPI document has the routes of API keys, and the second has all others', () => {
  const [programs, dashboard] = documents.map(({ paths }) => Object.keys(paths));
  const pathsOf = (isProgram: boolean) =>
    listEndpoints()
      .filter(({ route }) => route !== routes.followEvents)
      .filter(({ credential }) => (credential === 'api_key') === isProgram)
      .map(({ path }) => path);
  expect(new Set(programs)).toEqual(new Set(pathsOf(true)));
  expect(new Set(dashboard)).toEqual(new Set(pathsOf(false)));
});

test('the OpenAPI document for programs names the scope of each operation', () => {
  const [programs] = documents;
  for (const { path, route } of listEndpoints().filter(
    ({ credential }) => credential === 'api_key',
  )) {
    const operation = programs?.paths[path]?.[route.method.toLowerCase()];
    if (operation === undefined) continue;
    expect(operation['x-scope']).toBe(route.scope);
    expect(operation.description).toContain(
      route.scope === 'any' ? 'Every API key may use this.' : `Needs the scope \`${route.scope}\`.`,
    );
  }
});

test('the OpenAPI document for programs describes each event of a webhook with its headers and an example that its schema accepts', () => {
  const [programs, dashboard] = documents;
  expect(dashboard?.webhooks).toBeUndefined();
  expect(Object.keys(programs?.webhooks ?? {})).toEqual([...WEBHOOK_EVENT_TYPES]);
  for (const [type, { post }] of Object.entries(programs?.webhooks ?? {})) {
    const { example, schema } = post.requestBody?.content['application/json'] ?? {};
    expect(webhookEvent.parse(example)).toEqual(example);
    expect(example).toMatchObject({ type });
    expect(schema?.properties?.['type']).toMatchObject({ const: type });
    expect(post.parameters).toMatchObject([
      { name: 'webhook-id', in: 'header', required: true },
      { name: 'webhook-timestamp', in: 'header', required: true },
      { name: 'webhook-signature', in: 'header', required: true },
    ]);
  }
});

describe.each(ADDRESSES)('the OpenAPI document at %s', (address) => {
  const document = documents[ADDRESSES.indexOf(address)];

  test('an OpenAPI document is served as JSON to pages of any origin', () => {
    expect(Object.fromEntries(served.get(address)?.headers ?? [])).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    const { info, ...rest } = JSON.parse(textOf(address)) as NonNullable<typeof document>;
    expect({ ...rest, info: { ...info, version: 'test' } }).toEqual(
      JSON.parse(JSON.stringify(document)),
    );
  });

  test('an OpenAPI document passes the recommended rules of Redocly without an error or a warning', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: textOf(address),
      absoluteRef: address,
      config,
    });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('an OpenAPI document passes the rules of spectral:oas without an error or a warning', async () => {
    const spectral = new spectralCore.Spectral();
    // The two packages type the same rules differently.
    spectral.setRuleset({ extends: [spectralRulesets.oas as unknown as RulesetDefinition] });
    const problems = await spectral.run(textOf(address));
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  });

  test('an OpenAPI document has an example of every JSON body and its own text for every error', () => {
    const operations = Object.values(document?.paths ?? {}).flatMap((path) => Object.values(path));
    const without = operations.flatMap(({ operationId, requestBody, responses }) => {
      const bodies = Object.entries({ ...responses, request: requestBody }).flatMap(
        ([name, body]) =>
          body !== undefined && 'content' in body && body.content !== undefined
            ? Object.entries(body.content).map(([type, content]) => ({ name, type, content }))
            : [],
      );
      return bodies
        .filter(({ type, content }) => type === 'application/json' && hasSchema(content))
        .filter(({ content }) => content.example === undefined && content.examples === undefined)
        .map(({ name }) => `${operationId} ${name}`);
    });
    expect(without).toEqual([]);
  });
});

test('operations share their components, so a document has less than 4.2 kB per operation', () => {
  for (const address of ADDRESSES) {
    const operations = textOf(address).match(/"operationId"/g) ?? [];
    expect(textOf(address).length / operations.length).toBeLessThan(4_200);
  }
});

/** The response with a document is JSON without a schema. */
const hasSchema = ({ schema }: { schema: { type?: unknown } }) => schema.type !== 'string';

describe('the API reference', () => {
  test('the API reference loads its script and its documents from its own origin', () => {
    const sources = [...page.text.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, url]) => url);
    expect(sources).toEqual(['/docs/scalar.js', '/docs/start.js']);
    for (const address of ADDRESSES) expect(start.text).toContain(`"url":"${address}"`);
    expect(start.text).toMatch(/"withDefaultFonts":false,"telemetry":false,"proxyUrl":""/);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.text.length).toBeGreaterThan(1_000_000);
  });

  test('the policy of the API reference allows no other origin and no inline script', () => {
    const policy = (page.headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy.join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(page.text).not.toMatch(/ on\w+="| style="/);
  });
});
