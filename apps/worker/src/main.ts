import { announceReady, createLogger, createShutdown, runMain } from '@switchboard/runtime';
import { readConfig } from './config.ts';
import { createWorker } from './dependencies.ts';

await runMain(async () => {
  const config = readConfig();
  const logger = createLogger({ name: 'worker', level: config.LOG_LEVEL });
  const worker = createWorker(config, logger);
  createShutdown({ logger, phases: worker.shutdownPhases });
  announceReady(logger, await worker.start());
});
