// What every command of package.json needs before it can run. Plain JavaScript that uses only Node, because in a new
// clone nothing is installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findMissingPackages } from './find-missing-packages.mjs';
import { lockCheckout } from './lock-checkout.mjs';
import { runStep } from './run-step.mjs';

const root = path.resolve(import.meta.dirname, '..');
const GENERATED = path.join(root, 'packages/database/src/generated');
const STAMP = path.join(GENERATED, 'inputs.sha256');
const PARENT_CHECK_MS = 250;

/**
 * Installs the packages, if they are missing or others than those of package-lock.json, then generates the Prisma
 * client and compiles, as far as requested. Does nothing that is done already. Ends the process if a step fails.
 */
export async function prepareCheckout({ install = true, compile = false } = {}) {
  const parent = process.ppid;
  // npm ends without a signal to its child if it is killed.
  const watch = setInterval(() => process.ppid === parent || process.exit(1), PARENT_CHECK_MS);
  await lockCheckout(root, async () => {
    if (install) await installPackages();
    await generate();
    if (!compile) return;
    await run('The compiler', ['node_modules/.bin/tsc', '-b', 'tsconfig.build.json']);
    await run('The build of the dashboard', ['scripts/build-dashboard.mjs']);
  });
  clearInterval(watch);
}

async function installPackages() {
  const reason = findMissingPackages(root);
  if (reason === null) return;
  console.log(`Running npm ci, because ${reason}. This usually takes 1 to 3 minutes.`);
  const startedAt = performance.now();
  // With the development packages even if NODE_ENV is `production`: they compile. Without scripts: of the packages,
  // none needs its own, and our `prepare` would compile here and now.
  const code = await runStep('npm', ['ci', '--include=dev', '--ignore-scripts'], { cwd: root });
  if (code !== 0) {
    fail(
      `npm ci has failed. It needs the registry that \`npm config get registry\` prints. Check the network, then run the command again.`,
    );
  }
  const left = findMissingPackages(root);
  if (left !== null)
    fail(`After npm ci, ${left}. Remove node_modules, then run the command again.`);
  console.log(`Installed in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
}

/**
 * Generates the Prisma client if the schema or Prisma has changed. `prisma generate` needs no engine, but the CLI
 * downloads the schema engine unless an environment variable has its path. Any executable is accepted, so the path
 * of Node makes the command work without a network.
 */
async function generate() {
  const inputs = ['prisma/schema.prisma', 'node_modules/prisma/package.json'];
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(readFileSync(path.join(root, file)));
  const current = hash.digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === current) return;
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const command = ['node_modules/prisma/build/index.js', 'generate', '--no-hints'];
  await run('prisma generate', command, { env, isQuiet: true });
  mkdirSync(GENERATED, { recursive: true });
  writeFileSync(STAMP, current);
}

async function run(what, args, options = {}) {
  const code = await runStep(process.execPath, args, { cwd: root, ...options });
  if (code !== 0) fail(`${what} has failed.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
