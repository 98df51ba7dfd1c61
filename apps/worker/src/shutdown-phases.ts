import type { HintConsumer } from '@switchboard/core';
import { type ShutdownPhase, type Tracer, exportTraces } from '@switchboard/runtime';
import type { Config } from './config.ts';
import type { DispatchQueues } from './dispatch/create-dispatch.ts';
import type { InboundReader } from './inbound/inbound-reader.ts';
import { BUS_TIMEOUT_MS, type Infrastructure, QUEUE_TIMEOUT_MS } from './infrastructure.ts';
import type { createReconciliation } from './reconcile/create-reconciliation.ts';
import type { Sessions } from './sessions/create-sessions.ts';
import type { StartLatch } from './start-latch.ts';
import type { createSweeping } from './sweep/create-sweeping.ts';
import type { Webhooks } from './webhooks/create-webhooks.ts';

const WRITES_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5_000;

export interface ShutdownDependencies {
  config: Config;
  infrastructure: Infrastructure;
  latch: StartLatch;
  intake: HintConsumer;
  queues: Pick<DispatchQueues, 'stop' | 'idle'>;
  reconciliation: Pick<ReturnType<typeof createReconciliation>, 'queues'>;
  inbound: Pick<InboundReader, 'stop'>;
  sessions: Sessions;
  webhooks: Webhooks;
  mail: { stop(): Promise<void> } | null;
  erasing: { redactMessages: { stop(): Promise<void> } };
  sweeping: ReturnType<typeof createSweeping>;
  closeServer(): Promise<void>;
  tracer: Tracer | null;
}

/** Creates the phases of a shutdown: stop the intake, finish calls in flight, close connections. */
export function createShutdownPhases(dependencies: ShutdownDependencies): ShutdownPhase[] {
  const { infrastructure, queues, reconciliation } = dependencies;
  const { sweeper, accounts, queue } = dependencies.sweeping;
  return [
    {
      name: 'take no more hints',
      timeoutMs: CLOSE_TIMEOUT_MS,
      async run() {
        dependencies.latch.close();
        infrastructure.databaseClock.stop();
        const closing = dependencies.intake.close(CLOSE_TIMEOUT_MS / 2);
        await Promise.all([closing, sweeper.stop(), queue.stop(), dependencies.sessions.leave()]);
      },
    },
    {
      name: 'return waiting hints to the queue for other workers',
      timeoutMs: QUEUE_TIMEOUT_MS,
      async run() {
        reconciliation.queues.stop();
        const hints = queues.stop().map(({ hint }) => hint);
        // Without the queue, the sweepers of other workers find the rows.
        if (queue.isReachable()) await infrastructure.producer.enqueue(hints);
      },
    },
    {
      name: 'finish provider calls, webhooks and their writes',
      timeoutMs:
        Math.max(dependencies.config.PROVIDER_TIMEOUT_MS, dependencies.config.WEBHOOK_TIMEOUT_MS) +
        WRITES_TIMEOUT_MS,
      run: () =>
        Promise.all([
          queues.idle(),
          reconciliation.queues.idle(),
          accounts.stop(),
          dependencies.inbound.stop(),
          dependencies.webhooks.stop(),
          dependencies.mail?.stop(),
          dependencies.erasing.redactMessages.stop(),
        ]),
    },
    {
      // Sessions close after the calls, which use them. Receipts arrive until then.
      name: 'close provider sessions',
      timeoutMs: CLOSE_TIMEOUT_MS,
      run: () => dependencies.sessions.close(),
    },
    {
      name: 'publish pending notifications',
      // Twice: for the last notifications, and for the end of the subscription.
      timeoutMs: 2 * BUS_TIMEOUT_MS,
      run: () => infrastructure.bus.close(),
    },
    {
      name: 'close',
      timeoutMs: CLOSE_TIMEOUT_MS,
      async run() {
        await dependencies.closeServer();
        await infrastructure.close();
      },
    },
    ...exportTraces(dependencies.tracer),
  ];
}
