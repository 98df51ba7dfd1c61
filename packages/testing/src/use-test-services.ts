import { join } from 'node:path';
import { requestTestServices } from './request-test-services.ts';
import { findClusterTemplateWith } from './postgres/cluster-template.ts';
import { findProgramsWith } from './processes/find-app-program.ts';
import { ROOT_FOLDER } from './root-folder.ts';

const LOADER = join(ROOT_FOLDER, 'packages/testing/src/processes/load-with-code-cache.cjs');

// Runs in every test file: `startApi`, `startWorker`, `startSimulator` and `runCommand` run bundles, and
// `startPostgres` copies a migrated cluster.

findProgramsWith(async (name) => {
  const { folder } = (await requestTestServices('POST', '/app-bundles')) as { folder: string };
  return ['--require', LOADER, join(folder, `${name}.cjs`)];
});

findClusterTemplateWith(async () => {
  const { dataDir } = (await requestTestServices('POST', '/cluster-template')) as {
    dataDir: string;
  };
  return dataDir;
});
