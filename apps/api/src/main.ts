import { setTimeout as pause } from 'node:timers/promises';
import {
  announceReady,
  createLogger,
  createShutdown,
  exportTraces,
  runMain,
  startTracer,
} from '@switchboard/runtime';
import { createApp } from './app.ts';
import { readApiConfig } from './config.ts';
import { createDependencies } from './dependencies.ts';

await runMain(async () => {
  const config = readApiConfig();
  const logger = createLogger({ name: 'api', level: config.LOG_LEVEL });
  const tracer = await startTracer(config, { serviceName: 'switchboard-api', logger });
  const dependencies = createDependencies(config, logger, tracer);
  await dependencies.assertSchema();
  const app = await createApp(dependencies, { logger, trustedProxies: config.TRUST_PROXY });

  createShutdown({
    logger,
    phases: [
      {
        name: 'serve until nobody sends more',
        timeoutMs: config.DRAIN_MS + 1_000,
        run() {
          dependencies.reportNotReady();
          return pause(config.DRAIN_MS);
        },
      },
      {
        name: 'finish requests',
        timeoutMs: 10_000,
        run() {
          dependencies.endWaiting();
          return app.close();
        },
      },
      { name: 'close connections', timeoutMs: 5_000, run: () => dependencies.close() },
      ...exportTraces(tracer),
    ],
  });
  try {
    const url = await app.listen({ host: config.HOST, port: config.PORT });
    announceReady(logger, url);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Error(`Port ${config.PORT} on ${config.HOST} is taken: set PORT to another.`, {
        cause: error,
      });
    }
    throw error;
  }
});
