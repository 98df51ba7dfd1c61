import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT_FOLDER } from './root-folder.ts';
import { createTestServices } from './test-services.ts';

/**
 * Runs once per `vitest` run, in its main process. Compiles first: tests that start processes run
 * `dist`, which would otherwise be the code of the last build. Servers start when a test first
 * requests one.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const tsc = path.join(ROOT_FOLDER, 'node_modules/.bin/tsc');
  execFileSync(process.execPath, [tsc, '-b', 'tsconfig.build.json'], {
    cwd: ROOT_FOLDER,
    stdio: 'inherit',
  });
  const services = await createTestServices();
  project.provide('testServicesPort', services.port);
  return () => services.close();
}
