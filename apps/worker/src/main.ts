import {
  announceReady,
  createLogger,
  createShutdown,
  runMain,
  startTracer,
} from '@switchboard/runtime';
import { readConfig, warnOfMisspelled } from './config.ts';
import { createWorker } from './create-worker.ts';

await runMain(async () => {
  const config = readConfig();
  const logger = createLogger({ name: 'worker', level: config.LOG_LEVEL });
  warnOfMisspelled(logger);
  const tracer = await startTracer(config, { serviceName: 'switchboard-worker', logger });
  const worker = await createWorker(config, logger, tracer);
  createShutdown({ logger, phases: worker.shutdownPhases });
  announceReady(logger, await worker.start());
});
