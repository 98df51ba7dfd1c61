import {
  announceReady,
  createLogger,
  createShutdown,
  runMain,
  startTracer,
} from '@switchboard/runtime';
import { findMisspelt, readConfig } from './config.ts';
import { createWorker } from './dependencies.ts';

await runMain(async () => {
  const config = readConfig();
  const logger = createLogger({ name: 'worker', level: config.LOG_LEVEL });
  for (const { setting, similarTo: similar_to } of findMisspelt()) {
    logger.warn({ setting, similar_to }, 'unknown setting has no effect');
  }
  const tracer = await startTracer(config, { serviceName: 'switchboard-worker', logger });
  const worker = createWorker(config, logger, tracer);
  createShutdown({ logger, phases: worker.shutdownPhases });
  announceReady(logger, await worker.start());
});
