import { setTimeout as delay } from 'node:timers/promises';
import { isPortFree } from '@switchboard/embedded-postgres';
import type { StandaloneConfig } from './config.ts';

/** Throws an error that names the setting to change, before a child process fails on its port. */
export async function assertPortsFree(config: StandaloneConfig): Promise<void> {
  if (config.port === config.simulatorPort) {
    throw new Error(`PORT and SIMULATOR_PORT must differ; both are ${config.port}.`);
  }
  for (const [setting, port, host] of [
    ['PORT', config.port, config.host],
    ['SIMULATOR_PORT', config.simulatorPort, '127.0.0.1'],
  ] as const) {
    // The system may need a moment to release the port of a killed process.
    const deadline = performance.now() + 1_000;
    let isFree = await isPortFree(port, host);
    while (!isFree && performance.now() < deadline) {
      await delay(50);
      isFree = await isPortFree(port, host);
    }
    if (!isFree) {
      throw new Error(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or set ${setting} to another port.`,
      );
    }
  }
}
