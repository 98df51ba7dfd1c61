import { join } from 'node:path';
import { requestTestServices } from './request-test-services.ts';
import { findProgramsWith } from './processes/find-app-program.ts';
import { ROOT_FOLDER } from './root-folder.ts';

const LOADER = join(ROOT_FOLDER, 'packages/testing/src/processes/load-with-code-cache.cjs');

// Runs in every test file: `startApi`, `startWorker`, `startSimulator` and `runCommand` run bundles.

findProgramsWith(async (name) => {
  const { folder } = (await requestTestServices('POST', '/app-bundles')) as { folder: string };
  return ['--require', LOADER, join(folder, `${name}.cjs`)];
});
