import type { DueRedaction, RedactionResult, RedactionStore } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';

export interface RedactMessages {
  /** Starts to remove what is due, and does not wait for it. */
  poll(): void;
  /** Finishes the requests that are being made. */
  stop(): Promise<void>;
}

/** Far fewer than the calls that send messages. A workspace has one at a time. */
const CONCURRENCY = 4;
const EVERY_MS = 1_000;
/** After this time, the next run finds the workspaces that have come since, and tries all accounts again. */
const RUN_MS = 30_000;
/** With the pauses of the store, almost four days: a provider that had an outage, or a message that took three days. */
const MAX_ATTEMPTS = 96;

/**
 * Creates the task that removes the copies of erased messages at their providers. The workspaces take turns with one
 * request each. An account that has not done what it was asked is left alone for the rest of the run, so that it delays no
 * other one. A failed request is repeated later, even after a restart.
 */
export function createRedactMessages(dependencies: {
  store: RedactionStore;
  resolveProviderAccount: ResolveProviderAccount;
  logger: Logger;
}): RedactMessages {
  const { store, resolveProviderAccount, logger } = dependencies;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let nextAt = 0;

  /** Null if it is to be tried again. */
  async function redact(redaction: DueRedaction): Promise<RedactionResult | null> {
    const resolved = resolveProviderAccount(redaction.workspaceId, redaction.provider);
    if (resolved.kind === 'unusable') {
      return resolved.reason === 'undecryptable' && redaction.attempts < MAX_ATTEMPTS
        ? null
        : 'unable';
    }
    const { adapter, account } = resolved;
    if (adapter.redactMessage === null) return 'unable';
    const outcome = await adapter.redactMessage(account, redaction.providerSid);
    if (outcome.kind === 'redacted') return 'redacted';
    const { workspaceId, messageId, attempts } = redaction;
    const fields = { workspace_id: workspaceId, message_id: messageId, attempts };
    if (attempts < MAX_ATTEMPTS) {
      logger.debug({ ...fields, detail: outcome.detail }, 'failed to redact a message, retrying');
      return null;
    }
    logger.warn({ ...fields, detail: outcome.detail }, 'failed to redact a message');
    return 'failed';
  }

  async function run(): Promise<void> {
    const startedAt = performance.now();
    const isOver = (): boolean => isStopped || performance.now() - startedAt >= RUN_MS;
    const waiting = await store.listDueWorkspaces();
    const failing = new Set<string>();
    const takeTurns = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !isOver(); id = waiting.shift()) {
        const redaction = await store.takeDue(id, [...failing]);
        if (redaction === null) continue;
        const result = await redact(redaction);
        if (result !== null) await store.finish(redaction, result);
        if (result === null || result === 'failed') {
          if (redaction.provider !== null) failing.add(redaction.provider.id);
        }
        waiting.push(id);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, takeTurns));
  }

  return {
    poll() {
      if (running !== null || isStopped || performance.now() < nextAt) return;
      running = run()
        .catch((error: unknown) => logger.warn({ err: error }, 'failed to redact messages'))
        .finally(() => {
          running = null;
          nextAt = performance.now() + EVERY_MS;
        });
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
