import { setTimeout as delay } from 'node:timers/promises';
import { isPortFree } from '@switchboard/embedded-postgres';
import type { StandaloneConfig } from './config.ts';

/** Says which setting to change before anything is started, rather than by the crash of a child. */
export async function assertPortsFree(config: StandaloneConfig): Promise<void> {
  if (config.port === config.simulatorPort) {
    throw new Error(`PORT and SIMULATOR_PORT must differ; both are ${config.port}.`);
  }
  for (const [setting, port, host] of [
    ['PORT', config.port, config.host],
    ['SIMULATOR_PORT', config.simulatorPort, '127.0.0.1'],
  ] as const) {
    // The system may take a moment to give back the port of a process that has been killed.
    const deadline = performance.now() + 1_000;
    let isFree = await isPortFree(port, host);
    while (!isFree && performance.now() < deadline) {
      await delay(50);
      isFree = await isPortFree(port, host);
    }
    if (!isFree) {
      throw new Error(
        `Port ${port} on ${host} is taken: stop what uses it, or set ${setting} to another.`,
      );
    }
  }
}
