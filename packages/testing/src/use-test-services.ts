import { requestTestServices } from './request-test-services.ts';
import { findClusterTemplateWith } from './postgres/cluster-template.ts';

// Runs in every test file: `startPostgres` copies a migrated cluster.

findClusterTemplateWith(async () => {
  const { dataDir } = (await requestTestServices('POST', '/cluster-template')) as {
    dataDir: string;
  };
  return dataDir;
});
