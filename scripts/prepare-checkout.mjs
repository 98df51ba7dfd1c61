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
 * `proofs` adds what tests, checks, `bench` and `chaos` need: the development packages, and those programs.
 */
export async function prepareCheckout({ install = true, compile = false, proofs = false } = {}) {
  const parent = process.ppid;
  // npm ends without a signal to its child if it is killed.
  const watch = setInterval(() => process.ppid === parent || process.exit(1), PARENT_CHECK_MS);
  await lockCheckout(root, async () => {
    if (install) await installPackages(proofs);
    await generate();
    if (!compile) return;
    const project = proofs ? 'tsconfig.proofs.json' : 'tsconfig.build.json';
    await run('The compiler', ['node_modules/.bin/tsc', '-b', project]);
    await run('The bundler', ['scripts/bundle-programs.mjs']);
    await run('The build of the pages', ['scripts/build-sites.mjs']);
  });
  clearInterval(watch);
}

async function installPackages(proofs) {
  const reason = findMissingPackages(root, { dev: proofs });
  if (reason === null) return;
  console.log(`Running npm ci, because ${reason}. This usually takes 1 to 2 minutes.`);
  const startedAt = performance.now();
  // Whatever NODE_ENV or the settings of npm say. Without scripts: of the packages, none needs its own, and our
  // `prepare` would compile here and now.
  const dev = proofs ? '--include=dev' : '--omit=dev';
  const code = await runStep('npm', ['ci', dev, '--ignore-scripts'], { cwd: root });
  if (code !== 0) {
    fail(
      `npm ci has failed. It needs the registry that \`npm config get registry\` prints. Check the network, then run the command again.`,
    );
  }
  const left = findMissingPackages(root, { dev: proofs });
  if (left !== null)
    fail(`After npm ci, ${left}. Remove node_modules, then run the command again.`);
  console.log(`Installed in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
}

/** Generates the Prisma client if the schema or Prisma has changed. */
async function generate() {
  const inputs = ['prisma/schema.prisma', 'node_modules/@prisma/client-generator-ts/package.json'];
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(readFileSync(path.join(root, file)));
  const current = hash.digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === current) return;
  await run('The generator of the Prisma client', ['scripts/generate-client.mjs']);
  mkdirSync(GENERATED, { recursive: true });
  writeFileSync(STAMP, current);
}

async function run(what, args) {
  const code = await runStep(process.execPath, args, { cwd: root });
  if (code !== 0) fail(`${what} has failed.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
