// Generates the Prisma client. `prisma generate` needs no engine, but the CLI downloads the schema
// engine unless an environment variable has its path. Any executable is accepted, so the path of Node
// makes the command work without a network.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const prismaCli = createRequire(import.meta.url).resolve('prisma/build/index.js');
const { status, signal, error } = spawnSync(
  process.execPath,
  [prismaCli, 'generate', '--no-hints'],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  },
);
if (status === null) console.error(`prisma generate was stopped: ${error?.message ?? signal}`);
process.exit(status ?? 1);
