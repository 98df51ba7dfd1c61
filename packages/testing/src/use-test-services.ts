import { requestAppBundles, requestTestServices } from './request-test-services.ts';
import { findClusterTemplateWith } from './postgres/cluster-template.ts';
import { findAppBundlesWith } from './processes/find-app-program.ts';

// Runs in every test file: `startApi`, `startWorker`, `startSimulator` and `runCommand` run bundles, and
// `startPostgres` copies a migrated cluster.

findAppBundlesWith(requestAppBundles);

findClusterTemplateWith(async () => {
  const { dataDir } = (await requestTestServices('POST', '/cluster-template')) as {
    dataDir: string;
  };
  return dataDir;
});
