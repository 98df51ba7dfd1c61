import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT_FOLDER } from './root-folder.ts';
import { openRun } from './run/open-run.ts';
import { createTestServices } from './test-services.ts';

/**
 * Runs once per `vitest` run, in its main process. Compiles first: tests that start processes run
 * `dist`, and a browser loads the built dashboard, which would otherwise be the code of the last
 * build. Servers start when a test first requests one.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  openRun();
  await run('scripts/build.mjs', '--proofs');
  const services = await createTestServices();
  project.provide('testServicesPort', services.port);
  return () => services.close();
}

async function run(script: string, option: string): Promise<void> {
  const args = [path.join(ROOT_FOLDER, script), option];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${script} has failed.`);
}
