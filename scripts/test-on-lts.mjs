// npm run test:node-26: runs the tests that depend most on Node with the release of .nvmrc, which the
// image uses. `engines` also allows older releases. Node is downloaded from npm into .cache/.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Tests of HTTP parsing, upgrades, signals, child processes, cryptography, fetch, and `npm start`. */
const TESTS = [
  'apps/api/test/broken-requests/broken-requests.test.ts',
  'apps/api/test/events-upgrade.test.ts',
  'apps/api/test/slow-requests.test.ts',
  'apps/standalone/test/guide.test.ts',
  'packages/credentials/src',
  'packages/providers/test/fetch-checked.test.ts',
  'packages/runtime',
];

const root = path.resolve(import.meta.dirname, '..');
const version = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
const name = `node-${process.platform}-${process.arch}`;
const folder = path.join(root, `.cache/node-${version}`);
const node = path.join(folder, 'node_modules', name, 'bin/node');

if (!existsSync(node)) {
  // The install script of the package `node` would choose this package, but npm does not run it here.
  const args = ['--no-save', '--no-package-lock', '--ignore-scripts', '--prefix', folder];
  execFileSync('npm', ['install', ...args, `${name}@${version}`], { stdio: 'inherit' });
}
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
try {
  execFileSync(node, [vitest, 'run', ...TESTS], { cwd: root, env, stdio: 'inherit' });
} catch (error) {
  process.exit(error.status ?? 1);
}
