import type { TestProject } from 'vitest/node';
import { createTestServices } from './test-services.ts';

/** Runs once per `vitest` run, in its main process; what it offers is started when first asked for. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const services = await createTestServices();
  project.provide('testServicesPort', services.port);
  return () => services.close();
}
