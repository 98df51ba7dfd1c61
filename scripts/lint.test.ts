import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// A linter that lacks type information or its configuration would report no problem.
const root = path.resolve(import.meta.dirname, '..');
const oxlint = path.join(
  path.dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
  'bin/oxlint',
);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lint-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test.each([
  ['no-floating-promises', 'export function start(work: () => Promise<void>) { work(); }'],
  ['no-explicit-any', 'export const value: any = 1;'],
  ['no-unsafe-return', `export const parse = (text: string): number => JSON.parse(text);`],
  ['no-console', 'export const print = () => console.log(1);'],
  ['no-unused-vars', 'const unused = 1;'],
])('the linter reports a violation of %s', async (rule, code) => {
  await writeFile(path.join(folder, 'planted.ts'), `${code}\n`);
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: path.join(root, 'tsconfig.base.json'),
      compilerOptions: { types: [], lib: ['es2023', 'dom'] },
    }),
  );
  const { stdout, status } = spawnSync(
    process.execPath,
    [oxlint, '-c', path.join(root, '.oxlintrc.json'), '--deny-warnings', folder],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stdout).toContain(`(${rule})`);
  expect(status).toBe(1);
});
