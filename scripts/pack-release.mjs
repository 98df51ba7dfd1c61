// npm run release:pack [-- folder]
// Packs the files for a server into release/switchboard-<version>-<platform>-<arch>.tar.gz: the built
// programs, their production dependencies, migrations and ops. Also writes a checksum and an SBOM.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The programs of a server. */
const PROGRAMS = ['api', 'worker', 'cli'];
const FILES = ['LICENSE', 'CHANGELOG.md', '.env.example', 'ops', 'prisma/migrations'];
const WORKSPACES = PROGRAMS.map((name) => `--workspace=@switchboard/${name}`);

const [folder = path.join(ROOT, 'release')] = process.argv.slice(2);
const { version } = readJson(path.join(ROOT, 'package.json'));

pack(path.resolve(folder));

function pack(destination) {
  const name = `switchboard-${version}-${process.platform}-${process.arch}`;
  const work = mkdtempSync(path.join(tmpdir(), 'switchboard-release-'));
  try {
    const tree = path.join(work, name);
    writeTree(tree);
    mkdirSync(destination, { recursive: true });
    const archive = path.join(destination, `${name}.tar.gz`);
    const owner = ['--owner=root', '--group=root', '--numeric-owner'];
    run('tar', ['-czf', archive, ...owner, '-C', work, name], ROOT);
    const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
    writeFileSync(`${archive}.sha256`, `${hash}  ${path.basename(archive)}\n`);
    cpSync(path.join(tree, 'sbom.cdx.json'), path.join(destination, `${name}.cdx.json`));
    console.log(archive);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Writes the files of a release to the folder `tree`. */
function writeTree(tree) {
  if (!existsSync(path.join(ROOT, 'dist/api.js'))) {
    throw new Error('The programs are not built. Run `npm run build` first.');
  }
  mkdirSync(tree, { recursive: true });
  copyManifests(tree);
  // Without install scripts, because `prepare` would build and others download files that a server does
  // not need. Without peer dependencies, because one of Prisma's is the compiler.
  const flags = ['--ignore-scripts', '--omit=dev', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  run('npm', ['ci', '--prefer-offline', ...flags, ...WORKSPACES], tree);
  removeUnused(tree);
  writeFileSync(path.join(tree, 'sbom.cdx.json'), describeContents(tree));
  copyBuild(tree);
  for (const name of FILES) {
    cpSync(path.join(ROOT, name), path.join(tree, name), {
      recursive: true,
      filter: (source) => !/^ops\/test(-long)?$/.test(path.relative(ROOT, source)),
    });
  }
  writeFileSync(
    path.join(tree, 'build-info.json'),
    `${JSON.stringify({ commit: findCommit() })}\n`,
  );
}

/** Copies the manifests of all workspaces, because npm compares them with the lock file. */
function copyManifests(tree) {
  for (const name of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...listWorkspaces('package.json'),
  ]) {
    if (existsSync(path.join(ROOT, name))) cpSync(path.join(ROOT, name), path.join(tree, name));
  }
}

/** Copies the bundle, which may have an older one beside it, and the dashboard, which the API serves. */
function copyBuild(tree) {
  const bundle = readFileSync(path.join(ROOT, 'dist/version'), 'utf8');
  const entries = readdirSync(path.join(ROOT, 'dist'), { withFileTypes: true });
  const used = entries.filter((entry) => entry.isFile() || entry.name === bundle);
  for (const name of [...used.map((entry) => `dist/${entry.name}`), 'apps/dashboard/dist/site']) {
    cpSync(path.join(ROOT, name), path.join(tree, name), { recursive: true });
  }
}

/** Returns npm's SBOM of the installed packages. Removes the omitted packages from the manifests first. */
function describeContents(tree) {
  rmSync(path.join(tree, 'package-lock.json'));
  const manifests = listWorkspaces('package.json').filter((name) =>
    existsSync(path.join(tree, name)),
  );
  for (const name of ['package.json', ...manifests]) {
    const { devDependencies: _unused, ...manifest } = readJson(path.join(tree, name));
    if (name === 'package.json') {
      // Those of the root build the programs.
      delete manifest.dependencies;
      manifest.workspaces = manifests.map((one) => path.dirname(one));
    }
    writeFileSync(path.join(tree, name), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  const flags = ['--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--omit=peer'];
  return run('npm', ['sbom', ...flags, '--legacy-peer-deps'], tree);
}

/** Keeps the programs and the workspaces that they import, which npm has linked. */
function removeUnused(tree) {
  const linked = new Set(readdirSync(path.join(tree, 'node_modules/@switchboard')));
  for (const name of listWorkspaces('package.json')) {
    const [group, workspace] = name.split('/');
    const isUsed = group === 'apps' ? PROGRAMS.includes(workspace) : linked.has(workspace);
    if (!isUsed) rmSync(path.join(tree, group, workspace), { recursive: true });
  }
  // 60 MB, of which the bundle has what PostgreSQL needs.
  rmSync(path.join(tree, 'node_modules/@prisma/client/runtime'), { recursive: true });
}

function listWorkspaces(file) {
  return ['apps', 'packages'].flatMap((group) =>
    readdirSync(path.join(ROOT, group))
      .map((name) => path.join(group, name, file))
      .filter((name) => existsSync(path.join(ROOT, name))),
  );
}

function findCommit() {
  const commit = run('git', ['rev-parse', 'HEAD'], ROOT).trim();
  const changes = run('git', ['status', '--porcelain', '--untracked-files=no'], ROOT);
  return changes === '' ? commit : `${commit}-modified`;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function run(command, args, cwd) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
