import { readBuildInfo } from '@switchboard/runtime';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/**
 * The API's metrics. Labels have few fixed values: no workspace, no phone number and no path from a
 * client.
 */
export function createApiMetrics(sources: {
  /** Whether `/health/ready` would respond with 200. Resolves soon, even while a part hangs. */
  isReady(): Promise<boolean>;
  poolWaiting(): number;
  sockets(): number;
  /** The number of events by which the connections of the slowest workspace are behind. */
  liveLag(): number;
  /** Null without a replica. */
  replicaLagMs(): number | null;
  replicaMaxLagMs: number;
  historyReads(): Readonly<Record<'replica' | 'primary', number>>;
}) {
  const registry = new Registry();
  const registers = [registry];
  // Metrics of Node: event-loop lag, memory, CPU, handles.
  collectDefaultMetrics({ register: registry });

  const metrics = {
    registry,
    buildInfo: new Gauge({
      name: 'switchboard_build_info',
      help: 'Always 1; the labels name the version, the commit and the Node release of the process.',
      labelNames: ['version', 'commit', 'node'] as const,
      registers,
    }),
    ready: new Gauge({
      name: 'switchboard_ready',
      help: '1 if this process can serve requests, as /health/ready reports; 0 if it cannot.',
      registers,
      async collect() {
        this.set((await sources.isReady()) ? 1 : 0);
      },
    }),
    poolWaiting: new Gauge({
      name: 'switchboard_pool_waiting',
      help: 'Statements waiting for a connection to the database.',
      registers,
      collect() {
        this.set(sources.poolWaiting());
      },
    }),
    sockets: new Gauge({
      name: 'switchboard_sockets',
      help: 'WebSocket connections open on this process.',
      registers,
      collect() {
        this.set(sources.sockets());
      },
    }),
    connections: new Gauge({
      name: 'switchboard_connections',
      help: 'Connections open on the public port of this process, WebSockets among them.',
      registers,
    }),
    connectionsClosed: new Counter({
      name: 'switchboard_connections_closed_total',
      help: 'Connections closed because this process had CONNECTION_LIMIT open connections.',
      registers,
    }),
    liveLag: new Gauge({
      name: 'switchboard_live_lag_events',
      help: 'Committed events that this process has not yet sent to the clients of its slowest workspace.',
      registers,
      collect() {
        this.set(sources.liveLag());
      },
    }),
    ...(sources.replicaLagMs() !== null && {
      replicaLag: new Gauge({
        name: 'switchboard_replica_lag_seconds',
        help: 'Maximum age of the data on the replica; +Inf while the replica does not respond.',
        registers,
        collect() {
          this.set((sources.replicaLagMs() ?? 0) / 1_000);
        },
      }),
      replicaMaxLag: new Gauge({
        name: 'switchboard_replica_max_lag_seconds',
        help: 'Allowed age of the data on the replica; beyond it, history is read from the primary.',
        registers,
        collect() {
          this.set(sources.replicaMaxLagMs / 1_000);
        },
      }),
    }),
    historyReads: new Counter({
      name: 'switchboard_history_reads_total',
      help: 'Reads of history that may be slightly out of date, by server.',
      labelNames: ['source'] as const,
      registers,
      collect() {
        this.reset();
        for (const [source, count] of Object.entries(sources.historyReads())) {
          this.inc({ source }, count);
        }
      },
    }),
    requestSeconds: new Histogram({
      name: 'switchboard_http_request_seconds',
      help: 'Time to respond to a request, by route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    callbacks: new Counter({
      name: 'switchboard_status_callbacks_total',
      help: 'Verified status callbacks, by result.',
      labelNames: ['result'] as const,
      registers,
    }),
    duplicates: new Counter({
      name: 'switchboard_duplicates_total',
      help: 'Messages that the provider accepted twice.',
      registers,
    }),
    unmatchedMerged: new Counter({
      name: 'switchboard_unmatched_callbacks_merged_total',
      help: 'Callbacks that were merged after their message received its identifier.',
      registers,
    }),
    failedWrites: new Counter({
      name: 'switchboard_failed_writes_total',
      help: 'Failed attempts to write a change to the database.',
      registers,
    }),
    failedHints: new Counter({
      name: 'switchboard_failed_hints_total',
      help: 'Hints that could not be queued; the sweeper finds their messages.',
      registers,
    }),
  };

  metrics.buildInfo.set({ ...readBuildInfo(), node: process.version }, 1);
  // Set to 0 at the start: a series that begins with its first count shows no increase.
  for (const result of ['recorded', 'unchanged', 'kept', 'duplicate', 'foreign']) {
    metrics.callbacks.inc({ result }, 0);
  }
  return metrics;
}

export type ApiMetrics = ReturnType<typeof createApiMetrics>;
