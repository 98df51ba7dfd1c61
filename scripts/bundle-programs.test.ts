import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
const LOADER = path.join(import.meta.dirname, 'run-bundle.cjs');
const run = promisify(execFile);

/** Prints the files of a folder whose code cache this Node, with its flags, does not accept. */
const LIST_REJECTED = `
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const { wrap } = require(process.argv[1]);
const [ending, ...files] = process.argv.slice(2);
console.log(JSON.stringify(files.filter((file) => {
  const cachedData = readFileSync(file + ending);
  return new Script(wrap(readFileSync(file, 'utf8')), { filename: file, cachedData }).cachedDataRejected;
})));`;

test.each([
  { what: 'every part of the bundle', flags: [], ending: '.cache' },
  { what: 'the parts of the API', flags: ['--max-semi-space-size=64'], ending: '.api-cache' },
])('V8 accepts the code cache of $what', async ({ flags, ending }) => {
  const version = await readFile(path.join(ROOT, 'dist/version'), 'utf8');
  const folder = path.join(ROOT, 'dist', version);
  const files = (await readdir(folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name.slice(0, -ending.length)));
  expect(files.length).toBeGreaterThan(20);
  const args = [...flags, '--eval', LIST_REJECTED, LOADER, ending, ...files];
  const { stdout } = await run(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual([]);
});

test('a program runs although another release of Node has written its code cache', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    'one.js':
      "const { two } = require('./two.js'); importModule('node:os').then(() => console.log(two));",
    'two.js': "exports.two = 'Two parts.';",
    'one.js.cache': 'of another release',
    'two.js.cache': '',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await copyFile(LOADER, path.join(folder, 'run.cjs'));
  const start = "require('./run.cjs').run('one.js', '.cache');";
  const { stdout } = await run(process.execPath, ['--eval', start], { cwd: folder });
  expect(stdout).toBe('Two parts.\n');
});
