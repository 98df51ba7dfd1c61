// Builds the dashboard and the simulator's page, each if one of its inputs has changed since its last build.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const SITES = [
  {
    app: 'apps/dashboard',
    sources: [
      'package-lock.json',
      'apps/dashboard/index.html',
      'apps/dashboard/package.json',
      'apps/dashboard/public',
      'apps/dashboard/src',
      'apps/dashboard/vite.config.ts',
      'packages/contracts/package.json',
      'packages/contracts/src',
      'packages/core/package.json',
      'packages/core/src',
    ],
  },
  {
    app: 'apps/simulator',
    sources: ['package-lock.json', 'apps/simulator/phone', 'apps/simulator/vite.config.ts'],
  },
];

for (const { app, sources } of SITES) {
  const folder = path.join(root, app);
  const stamp = path.join(folder, 'dist/site.stamp');
  const hash = hashSources(sources);
  if (read(stamp) === hash && read(path.join(folder, 'dist/site/index.html')) !== null) continue;
  // The tests set NODE_ENV to `test`, which would select React's development build.
  process.env.NODE_ENV = 'production';
  // Imported here, because loading Vite takes longer than checking the inputs.
  const { build } = await import('vite');
  await build({ configFile: path.join(folder, 'vite.config.ts'), logLevel: 'warn' });
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

function hashSources(sources) {
  const all = createHash('sha256');
  for (const file of sources.flatMap(listFiles)) {
    all
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return all.digest('hex');
}

function listFiles(source) {
  const entries = readdirSafely(path.join(root, source));
  if (entries === null) return [source];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Returns the entries of a folder, or null for a file. */
function readdirSafely(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
