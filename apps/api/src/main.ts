import { setTimeout as delay } from 'node:timers/promises';
import {
  announceReady,
  createLogger,
  createShutdown,
  exportTraces,
  runMain,
  startTracer,
  toListenHost,
} from '@switchboard/runtime';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { readApiConfig, warnOfMisspelled } from './config.ts';
import { createDependencies } from './dependencies.ts';
import { createOpsApp } from './ops-app.ts';

await runMain(async () => {
  const config = readApiConfig();
  const logger = createLogger({ name: 'api', level: config.LOG_LEVEL });
  warnOfMisspelled(logger);
  const tracer = await startTracer(config, { serviceName: 'switchboard-api', logger });
  const dependencies = await createDependencies(config, logger, tracer);
  await dependencies.start();
  const { OPS_PORT: opsPort } = config;
  const app = await createApp(dependencies, {
    logger,
    trustedProxies: config.TRUST_PROXY,
    connectionLimit: config.CONNECTION_LIMIT,
    hasOpsPort: opsPort !== undefined,
  });
  const opsApp = opsPort === undefined ? null : createOpsApp(dependencies, { logger });

  async function listen(server: FastifyInstance, name: string, port: number): Promise<string> {
    try {
      return await server.listen({ host: toListenHost(config.HOST), port });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
        throw new Error(`Port ${port} on ${config.HOST} is in use: set ${name} to another port.`, {
          cause: error,
        });
      }
      throw error;
    }
  }

  createShutdown({
    logger,
    phases: [
      {
        name: 'serve until load balancers stop sending requests',
        timeoutMs: config.DRAIN_MS + 1_000,
        run() {
          dependencies.health.reportNotReady();
          return delay(config.DRAIN_MS);
        },
      },
      {
        name: 'finish requests',
        timeoutMs: 10_000,
        run() {
          dependencies.endWaiting();
          return Promise.all([app.close(), opsApp?.close()]);
        },
      },
      { name: 'close connections', timeoutMs: 5_000, run: () => dependencies.close() },
      ...exportTraces(tracer),
    ],
  });
  if (opsApp !== null) await listen(opsApp, 'OPS_PORT', opsPort ?? 0);
  announceReady(logger, await listen(app, 'PORT', config.PORT));
});
