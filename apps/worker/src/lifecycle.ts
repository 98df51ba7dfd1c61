import { type Logger, type ShutdownPhase, toListenHost } from '@switchboard/runtime';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';
import { type ShutdownDependencies, createShutdownPhases } from './shutdown-phases.ts';
import { waitForSchema } from './wait-for-schema.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export interface Worker {
  /**
   * Resolves with the worker's address once the database responds, however long that takes. Rejects
   * if the database's schema is older than this version.
   */
  start(): Promise<string>;
  shutdownPhases: readonly ShutdownPhase[];
}

/** Creates the functions that start the worker's parts in order and shut them down in order. */
export function createLifecycle(
  dependencies: Omit<ShutdownDependencies, 'closeServer'> & {
    logger: Logger;
    metrics: Pick<WorkerMetrics, 'registry'>;
    findFailingPart(): Promise<string | null>;
  },
): Worker {
  const { config, infrastructure, latch, logger, metrics, findFailingPart } = dependencies;
  let server: MetricsServer | null = null;

  return {
    async start() {
      const { HOST: host, METRICS_PORT: port } = config;
      if (port !== undefined) {
        server = await startMetricsServer({
          host: toListenHost(host),
          port,
          metrics,
          findFailingPart,
          logger,
        });
      }
      if (await waitForSchema(infrastructure.database, latch)) {
        await infrastructure.processReport.start();
        await infrastructure.databaseClock.start();
        // The directory of sessions must be read before the first hints, whose messages may need
        // the session of another worker.
        await dependencies.sessions.start();
        latch.open();
        dependencies.webhooks.start();
        dependencies.sweeping.sweeper.start();
      }
      return server?.url ?? `worker:${process.pid}`;
    },
    shutdownPhases: createShutdownPhases({
      ...dependencies,
      closeServer: async () => server?.close(),
    }),
  };
}
