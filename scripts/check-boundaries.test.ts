import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findViolations } from './check-boundaries.mjs';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'boundaries-'));
  await mkdir(path.join(root, 'packages'));
  await mkdir(path.join(root, 'apps'));
});
afterEach(async () => {
  await rm(root, { recursive: true });
});

async function plant(file: string, code: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), code);
}

test.each([
  // The repository's own packages.
  ['packages/core/src/a.ts', `import { x } from '@switchboard/runtime';`, 'may not import'],
  ['packages/queue/src/a.ts', `import type { X } from '@switchboard/database';`, 'may not import'],
  ['packages/queue/src/a.ts', `export { x } from '@switchboard/events';`, 'may not import'],
  ['packages/queue/src/a.ts', `await import('@switchboard/events');`, 'may not import'],
  ['packages/embedded-postgres/src/a.ts', `import '@switchboard/core';`, 'may not import'],
  ['apps/simulator/src/a.ts', `import '@switchboard/core';`, 'may not import'],
  ['apps/dashboard/src/a.tsx', `import '@switchboard/core';`, 'may not import'],
  ['apps/worker/src/a.ts', `import '@switchboard/api';`, 'may not import'],
  ['apps/worker/test/a.test.ts', `import '@switchboard/api';`, 'may not import'],
  ['apps/api/src/a.ts', `import '@switchboard/testing';`, 'may not import'],
  ['apps/api/src/a.ts', `import '@switchboard/testing/percentile';`, 'may not import'],
  ['packages/new/src/a.ts', '', 'has no entry in the table'],
  ['apps/dashboard/src/a.tsx', `export const a = <p>Hello</p>;`, 'has the text “Hello”'],
  [
    'packages/providers/src/acme/form.ts',
    `export const form = { about: 'Sends messages.' };`,
    'has the text “Sends messages.”',
  ],
  // Entries of packages.
  ['apps/dashboard/src/a.tsx', `import '@switchboard/providers';`, 'may not import'],
  ['apps/dashboard/src/a.tsx', `import '@switchboard/providers/vendors';`, 'may not import'],
  ['packages/contracts/src/a.ts', `import '@switchboard/providers';`, 'may not import'],
  ['packages/providers/src/vendors.ts', `import 'undici';`, 'must not load'],
  ['packages/providers/src/forms.ts', `import { z } from 'zod';`, 'must not load'],
  // Folders.
  ['apps/worker/src/a.ts', `import '../../api/src/a.ts';`, 'outside its workspace'],
  ['apps/api/src/messages/a.ts', `import '../users/b.ts';`, 'imports its sibling users/'],
  ['packages/queue/src/redis/a.ts', `import '../postgres/b.ts';`, 'imports its sibling postgres/'],
  ['packages/core/src/a.ts', `import './b.test.ts';`, 'imports the test file'],
  ['packages/core/src/a.ts', `import '../test/b.ts';`, 'imports the test file'],
  // Libraries.
  [
    'apps/api/src/a.ts',
    `import type { Prisma } from '@prisma/client';`,
    'belongs in packages/database',
  ],
  ['apps/worker/src/a.ts', `import { Job } from 'bullmq';`, 'belongs in packages/queue'],
  ['apps/api/src/a.ts', `import twilio from 'twilio';`, 'belongs in packages/providers'],
  ['apps/simulator/src/a.ts', `import 'twilio/lib/x.js';`, 'belongs in packages/providers'],
  ['packages/core/src/a.ts', `import { readFile } from 'node:fs';`, 'runs in browsers'],
  // The environment, and exports.
  ['apps/api/src/a.ts', `export const port = process.env['PORT'];`, 'reads process.env'],
  ['apps/api/src/a.ts', `const { env } = process;`, 'reads process.env'],
  // The numbers of events.
  ['packages/database/src/messages/a.ts', 'const sql = `SELECT previous_seq`;', 'messages/events'],
  // Statements.
  ['packages/database/src/a.ts', 'const sql = `WHERE a = $1 AND b = $4`;', 'name them'],
  ['packages/queue/src/a.ts', 'const sql = `LIMIT $12`;', 'name them'],
  ['apps/cli/src/a.ts', `import { startOfSlot } from '@switchboard/core';`, 'messages/events'],
  ['packages/core/src/index.ts', `export * from './a.ts';`, 'exports a whole module'],
  ['packages/core/src/index.ts', `export * as a from './a.ts';`, 'exports a whole module'],
  ['apps/api/test/a/environment.ts', 'beforeEach(() => undefined);', 'registers a hook when'],
])('the boundary check refuses %s with %j', async (file, code, problem) => {
  await plant(file, code);
  expect(findViolations(root)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['apps/api/src/messages/a.ts', `import { x } from '@switchboard/database';`],
  ['apps/api/src/messages/a.ts', `import '../http/b.ts'; import './c.ts'; import '../app.ts';`],
  ['apps/api/src/app.ts', `import './messages/a.ts'; import './users/b.ts';`],
  ['apps/api/src/config.ts', `export const read = () => process.env;`],
  ['apps/api/src/a.ts', `// Never read process.env here.\nimport { readFile } from 'node:fs';`],
  ['apps/api/test/a.test.ts', `export const env = { ...process.env };`],
  ['apps/simulator/test/a.test.ts', `import twilio from 'twilio';`],
  ['packages/core/src/a.test.ts', `import { inspect } from 'node:util'; import './a.ts';`],
  ['packages/queue/test/a.test.ts', `import '@switchboard/testing'; import '../src/index.ts';`],
  ['apps/bench/src/a.ts', `import { percentile } from '@switchboard/testing/percentile';`],
  ['packages/database/src/a.ts', `import { PrismaPg } from '@prisma/adapter-pg';`],
  ['packages/database/src/a.ts', 'const sql = `WHERE a = $1 AND b = $2 AND c = $3`;'],
  ['packages/database/test/a.test.ts', 'const sql = `VALUES ($1, $2, $3, $4)`;'],
  ['packages/core/src/a.ts', `export const a = '1'.replace(/(.)/, '$4');`],
])('the boundary check allows %s with %j', async (file, code) => {
  await plant(file, code);
  expect(findViolations(root)).toEqual([]);
});

test.each([
  ['import', `import { b } from './b.ts';`],
  ['type import', `import type { B } from './b.ts';`],
  ['re-export', `export { b } from './b.ts';`],
  ['dynamic import', `export const load = () => import('./b.ts');`],
])('a cycle of relative imports that contains one %s is a violation', async (_, code) => {
  await plant('packages/core/src/a.ts', code);
  await plant('packages/core/src/b.ts', `import type { C } from './nested/c.ts';`);
  await plant('packages/core/src/nested/c.ts', `import type { A } from '../a.ts';`);
  await plant('packages/core/src/d.ts', `import './a.ts'; import './b.ts';`);
  expect(findViolations(root)).toEqual([
    'packages/core/src/a.ts: is part of an import cycle: packages/core/src/a.ts → packages/core/src/b.ts → packages/core/src/nested/c.ts → packages/core/src/a.ts',
  ]);
});

test.each([
  ['a/a.ts', 'b/b.ts', 'a → b → a'],
  ['a/x/a.ts', 'a/y/b.ts', 'a/x → a/y → a/x'],
  ['a/x/a.ts', 'b/y/b.ts', 'a → b → a'],
  ['a/a.ts', 'a/x/b.ts', 'a → a/x → a'],
])(
  'folders of a package that import each other are a violation: %s and %s',
  async (one, other, cycle) => {
    const src = 'packages/database/src';
    const up = (file: string) => '../'.repeat(file.split('/').length - 1);
    await plant(`${src}/${one}`, `import '${up(one)}${other}';`);
    await plant(`${src}/${other}`, '');
    await plant(`${src}/index.ts`, `import './${one}'; import './${other}';`);
    await plant(`${src}/${path.dirname(one)}/a.test.ts`, `import './a.ts';`);
    expect(findViolations(root)).toEqual([]);
    await plant(
      `${src}/${path.dirname(other)}/c.ts`,
      `import type { C } from '${up(other)}${path.dirname(one)}/c.ts';`,
    );
    await plant(`${src}/${path.dirname(one)}/c.ts`, '');
    expect(findViolations(root)).toContain(`${src}: its folders import each other: ${cycle}`);
  },
);

test('two files that import a third are not part of an import cycle', async () => {
  await plant('packages/core/src/a.ts', `import './b.ts'; import './c.ts';`);
  await plant('packages/core/src/b.ts', `import './c.ts';`);
  await plant('packages/core/src/c.ts', '');
  expect(findViolations(root)).toEqual([]);
});

test.each([
  ['packages/core/src/a.ts', 300, []],
  ['packages/core/src/a.ts', 301, ['packages/core/src/a.ts: has 301 lines; split it']],
  ['apps/dashboard/test/a.test.ts', 301, ['apps/dashboard/test/a.test.ts: has 301 lines']],
  ['packages/core/src/generated/a.ts', 301, []],
  ['packages/core/src/index.ts', 301, []],
])('a file %s of %i lines has the violations %j', async (file, lines, violations) => {
  await plant(file, '\n'.repeat(lines));
  expect(findViolations(root)).toEqual(violations.map((text) => expect.stringContaining(text)));
});

async function plantVendors(): Promise<void> {
  await plant('packages/providers/src/http/a.ts', '');
  await plant('packages/providers/src/pigeon/a.ts', `// A pigeon has a RingNumber.`);
  await plant('packages/providers/src/pigeon/vendor-words.json', `["RingNumber"]`);
}

test.each([
  ['packages/core/src/a.ts', `export const path = '/webhooks/pigeon/';`, 'pigeon'],
  ['apps/api/src/a.ts', `export const PIGEON = 1;`, 'PIGEON'],
  ['apps/worker/src/a.ts', `export const readRingNumber = () => 1;`, 'RingNumber'],
  ['packages/providers/src/http/b.ts', `// As pigeons do.`, 'pigeon'],
])('a word of a vendor outside its folder is a violation: %s with %j', async (file, code, word) => {
  await plantVendors();
  await plant(file, code);
  expect(findViolations(root)).toEqual([
    `${file}: has “${word}”, a word of pigeon, which belongs in packages/providers/src/pigeon`,
  ]);
});

test.each([
  ['packages/core/src/a.ts', `export const format = 'http';`],
  ['packages/providers/src/vendors.ts', `import './pigeon/a.ts';`],
  ['packages/contracts/src/provider.ts', `export const type = 'pigeon';`],
  ['apps/worker/src/config.ts', `export const names = ['PIGEON_API_URL'];`],
  ['apps/simulator/src/a.ts', `export const vendor = 'pigeon';`],
  ['apps/worker/test/a.test.ts', `export const vendor = 'pigeon';`],
])('a word of a vendor is allowed in %s with %j', async (file, code) => {
  await plantVendors();
  await plant(file, code);
  expect(findViolations(root)).toEqual([]);
});

test.each([
  [`app.get('/api/a', async () => ({}));`, 'get'],
  ['app.post(`/api/${name}`, { onRequest }, handle);', 'post'],
  [`app.delete(path, { onRequest }, (request) => remove(request));`, 'delete'],
  [`fastify.route({ method: 'GET', url, handler });`, 'route'],
  [`const value = map.get(name); await store.delete(workspaceId, id);`, null],
])('a route of the API is registered only through its definition: %j', async (code, method) => {
  await plant('apps/api/src/messages/a.ts', code);
  await plant('apps/api/src/http/register-route.ts', code);
  await plant('apps/worker/src/a.ts', code);
  const problem = `apps/api/src/messages/a.ts: registers a route with \`.${method}()\``;
  expect(findViolations(root)).toEqual(method === null ? [] : [expect.stringContaining(problem)]);
});
