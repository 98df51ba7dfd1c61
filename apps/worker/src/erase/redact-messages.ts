import type { DueRedaction, RedactionResult, RedactionStore } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';

const BATCH_SIZE = 5;
/** With the pauses of the store, almost four days: a provider that had an outage, or a message that took three days. */
const MAX_ATTEMPTS = 96;

/**
 * Creates the function that removes the copies of erased messages at their providers, one request after another, so that
 * sends do not wait. A failed request is repeated later, even after a restart.
 *
 * The function returns whether there is more to do when the time is over.
 */
export function createRedactMessages(dependencies: {
  store: RedactionStore;
  resolveProviderAccount: ResolveProviderAccount;
  logger: Logger;
}) {
  const { store, resolveProviderAccount, logger } = dependencies;

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

  return async function redactMessages(budgetMs: number): Promise<boolean> {
    const startedAt = performance.now();
    while (performance.now() - startedAt < budgetMs) {
      const due = await store.takeDue(BATCH_SIZE);
      if (due.length === 0) return false;
      for (const redaction of due) {
        const result = await redact(redaction);
        if (result !== null) await store.finish(redaction, result);
      }
    }
    return true;
  };
}
