import { join } from 'node:path';
import { requestTestServices } from './request-test-services.ts';
import { findAppProgramsWith } from './processes/start-app.ts';

// Runs in every test file: `startApi`, `startWorker` and `startSimulator` start the bundled apps.

findAppProgramsWith(async (name) => {
  const { folder } = (await requestTestServices('POST', '/app-bundles')) as { folder: string };
  return join(folder, `${name}.mjs`);
});
