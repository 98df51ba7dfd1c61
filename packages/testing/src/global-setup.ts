import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT_FOLDER } from './root-folder.ts';
import { createTestServices } from './test-services.ts';

/**
 * Runs once per `vitest` run, in its main process. Compiles first: tests that start processes run
 * `dist`, and a browser loads the built dashboard, which would otherwise be the code of the last
 * build. Servers start when a test first requests one.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  run('node_modules/.bin/tsc', '-b', 'tsconfig.build.json');
  run('scripts/build-dashboard.mjs');
  const services = await createTestServices();
  project.provide('testServicesPort', services.port);
  return () => services.close();
}

function run(script: string, ...options: string[]): void {
  execFileSync(process.execPath, [path.join(ROOT_FOLDER, script), ...options], {
    cwd: ROOT_FOLDER,
    stdio: 'inherit',
  });
}
