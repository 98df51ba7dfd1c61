import {
  createBatch,
  decideDisable,
  holdAfterFailures,
  isDelivered,
  readRetryAfter,
} from '@switchboard/core';
import type { EndpointHealth, WebhookOutboxStore, WebhookTarget } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';
import type { SentEvent } from './send-event.ts';

export interface RecordHealthDependencies {
  store: Pick<WebhookOutboxStore, 'recordHealth' | 'disable'>;
  /** Wakes the other endpoints of a workspace. */
  onDisabled(workspaceId: string): void;
  /** The longest pause of a failing endpoint before the next event. */
  maxHoldMs: number;
  metrics: Pick<WorkerMetrics, 'webhookEndpointsDisabled'>;
  logger: Logger;
}

export type RecordHealth = (
  target: WebhookTarget & { revision: number },
  results: readonly (SentEvent | null)[],
) => Promise<{ mayContinue: boolean }>;

/** The success of a working endpoint is not written more often. */
const SUCCESS_EVERY_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/**
 * Creates the function that records whether an endpoint works, and disables it if its failures
 * require that.
 */
export function createRecordHealth(dependencies: RecordHealthDependencies): RecordHealth {
  const { store, onDisabled, maxHoldMs, metrics, logger } = dependencies;
  const successes = new Map<string, number>();
  const write = createBatch<EndpointHealth, number | null>({
    maxSize: 200,
    concurrency: 1,
    maxWaiting: 20_000,
    async run(results) {
      // One statement can update a row only once.
      const latest = new Map(results.map((result) => [result.id, result]));
      const failingForMs = await store.recordHealth([...latest.values()]);
      return results.map(({ id }) => failingForMs.get(id) ?? null);
    },
  });

  function isRecorded(id: string): boolean {
    const now = performance.now();
    if (now - (successes.get(id) ?? -Infinity) < SUCCESS_EVERY_MS) return true;
    if (successes.size >= MAX_REMEMBERED) successes.clear();
    successes.set(id, now);
    return false;
  }

  return async function recordHealth(target, results) {
    const sent = results.filter((result) => result !== null);
    if (sent.length === 0) return { mayContinue: true };
    const failed = sent.filter(({ outcome }) => !isDelivered(outcome));
    const isWorking = failed.length < sent.length;
    const failures = target.failures + failed.length;
    const requested = failed.map(({ outcome }) => readRetryAfter(outcome) ?? 0);
    const holdMs = Math.max(
      isWorking ? 0 : holdAfterFailures(failures, { maxMs: maxHoldMs, random: Math.random() }),
      ...requested,
    );
    const last = failed.at(-1);
    const isGone = failed.some(({ outcome }) => outcome.statusCode === 410);
    if (isWorking && holdMs === 0 && !isGone && target.failures === 0 && isRecorded(target.id)) {
      return { mayContinue: true };
    }
    if (!isWorking) successes.delete(target.id);
    target.failures = isWorking ? 0 : failures;
    const failingForMs = await write({
      workspaceId: target.workspaceId,
      id: target.id,
      isWorking,
      failures: isWorking ? 0 : failed.length,
      error: last?.attempt.error ?? null,
      holdMs,
    });
    const reason = isGone
      ? 'gone'
      : last === undefined || isWorking
        ? null
        : decideDisable(last.outcome, failingForMs ?? 0);
    if (reason === null) return { mayContinue: isWorking && holdMs === 0 };
    if (await store.disable(target, reason)) {
      metrics.webhookEndpointsDisabled.inc({ reason });
      const { id, workspaceId } = target;
      logger.warn(
        { endpoint_id: id, workspace_id: workspaceId, reason, error: last?.attempt.error },
        'webhook endpoint disabled',
      );
      onDisabled(workspaceId);
    }
    return { mayContinue: false };
  };
}
