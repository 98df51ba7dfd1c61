import { createLogger } from '@switchboard/runtime';
import { TEST_SECRET_KEY, createTestDatabase } from '@switchboard/testing';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { readApiConfig } from '../src/config.ts';
import { createDependencies } from '../src/dependencies.ts';
import { document, documentedRoutes, isDocumentedPart } from './documented.ts';
import { type Answer, ask } from './start-service.ts';

const registered = new Set<string>();
let served: Answer;
let page: Answer;

beforeAll(async () => {
  const database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('REDIS_URL', '');
  vi.stubEnv('SECRET_KEY', TEST_SECRET_KEY);
  vi.stubEnv('PUBLIC_URL', 'http://switchboard.test');
  const config = readApiConfig();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const dependencies = createDependencies(config, logger);
  const app = await createApp(dependencies, {
    logger,
    trustedProxies: 0,
    onRoute({ method, url }) {
      const path = url.replaceAll(/:(\w+)/g, '{$1}');
      for (const one of [method].flat()) if (one !== 'HEAD') registered.add(`${one} ${path}`);
    },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  served = await ask(url, '/openapi.json');
  page = await ask(url, '/docs');
  await app.close();
  await dependencies.close();
  await database.drop();
});
afterAll(() => void vi.unstubAllEnvs());

describe('OpenAPI document', () => {
  test('the document and the service have the same routes', () => {
    const ours = [...registered].filter((key) => isDocumentedPart(key.split(' ')[1] ?? ''));
    expect(documentedRoutes.map(({ key }) => key).toSorted()).toEqual(ours.toSorted());
  });

  test('the document is served as JSON to pages of any origin', () => {
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    const { info, ...rest } = JSON.parse(served.text) as typeof document;
    expect({ ...rest, info: { ...info, version: 'test' } }).toEqual(
      JSON.parse(JSON.stringify(document)),
    );
  });

  test('every operation of the document has a unique id and declares its path variables', () => {
    const ids = documentedRoutes.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { key, path, operation } of documentedRoutes) {
      const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect([key, declared.map(({ name }) => name)]).toEqual([key, variables]);
    }
  });

  test('the document has no broken references and no unused components', () => {
    const refs = [...served.text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
    const wanted = new Set(refs.map(([, kind, name]) => `${kind}/${name}`));
    const held = (['schemas', 'headers'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `${kind}/${name}`),
    );
    const unreferenced = ['schemas/EventFrame'];
    expect([...wanted, ...unreferenced].toSorted()).toEqual(held.toSorted());
    expect(served.text).not.toContain('"$defs"');
  });

  test('the document describes how each kind of credential is sent', () => {
    const used = documentedRoutes.flatMap(({ operation }) =>
      operation.security.flatMap(Object.keys),
    );
    expect([...new Set(used)].toSorted()).toEqual(
      Object.keys(document.components.securitySchemes).toSorted(),
    );
  });
});

describe('API reference', () => {
  test('the reference shows every operation with its path and every schema', () => {
    for (const { operation, path } of documentedRoutes) {
      expect(page.text).toContain(`id="${operation.operationId}"`);
      expect(page.text).toContain(path);
    }
    for (const name of Object.keys(document.components.schemas)) {
      expect(page.text).toContain(`id="${name}"`);
    }
  });

  test('every link of the reference has a target', () => {
    const ids = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const links = [...page.text.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href);
    expect(links.filter((href) => !ids.has(href ?? '') && href !== '/openapi.json')).toEqual([]);
  });

  test('the reference uses no script and no other origin, and its content security policy forbids both', () => {
    expect(page.text).not.toMatch(
      /<script|<link|<img|<iframe| on\w+="| style="|https?:\/\/[^<\s"]*\.(js|css)/,
    );
    const policy = page.headers.get('content-security-policy') ?? '';
    const style = /<style>([^]*?)<\/style>/.exec(page.text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });
});
