// npm run dev: runs the processes of `npm start`, and the dashboard with hot reload. Compiles on each
// change and restarts the processes when the code compiles. Ctrl-C stops everything.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

const compiler = start('compiler', [
  path.join(root, 'node_modules/.bin/tsc'),
  '-b',
  'tsconfig.build.json',
  '--watch',
  '--preserveWatchOutput',
]);
const site = start('dashboard', [
  path.join(path.dirname(require.resolve('vite/package.json')), 'bin/vite.js'),
  'apps/dashboard',
]);

let service = null;
let isStopping = false;
/** Only one restart runs at a time, because only one service can use a data folder. */
let restarting = Promise.resolve();

createInterface({ input: compiler.stdout }).on('line', (line) => {
  if (line.trim() !== '') console.log(line);
  if (/Found 0 errors/.test(line)) restarting = restarting.then(restartService);
});
site.stdout.pipe(process.stdout);

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(0));
for (const [name, child] of Object.entries({ compiler, dashboard: site })) {
  child.on('exit', (code) => {
    if (isStopping) return;
    console.error(`${name} exited with code ${code}`);
    void stop(1);
  });
}

async function restartService() {
  if (isStopping) return;
  await end(service);
  if (isStopping) return;
  await bundle();
  if (isStopping) return;
  service = start('service', ['dist/standalone.js'], 'inherit');
}

async function bundle() {
  const bundler = start('bundler', ['scripts/bundle-programs.mjs'], 'inherit');
  await new Promise((resolve) => bundler.once('exit', resolve));
}

async function stop(exitCode) {
  if (isStopping) return;
  isStopping = true;
  await restarting;
  await Promise.all([end(service), endGroup(compiler), endGroup(site)]);
  process.exit(exitCode);
}

/**
 * Starts a child in its own process group, so that Ctrl-C in the terminal reaches only this script,
 * which stops the children in order.
 */
function start(name, parameters, stdout = 'pipe') {
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    stdio: ['ignore', stdout, 'inherit'],
    detached: true,
  });
  child.on('error', (error) => {
    console.error(`failed to start ${name}: ${error.message}`);
    void stop(1);
  });
  return child;
}

/** Stops the service, which stops its own processes in order. */
async function end(child) {
  await untilExit(child, () => child.kill('SIGTERM'));
}

/** Stops a whole process group, because the launchers of the compiler and Vite do not stop their children. */
async function endGroup(child) {
  await untilExit(child, () => process.kill(-child.pid, 'SIGTERM'));
}

async function untilExit(child, signal) {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    signal();
  });
}
