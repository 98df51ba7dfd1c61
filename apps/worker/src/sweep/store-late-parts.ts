import type { LongMessageStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { StoreLongMessage } from '../provider-sessions.ts';

const EVERY_MS = 5_000;
const LIMIT = 100;
/** For how long other workers skip a message that this worker is storing. */
const HOLD_MS = 60_000;

/** Stores long messages whose other parts did not arrive within an hour, or whose worker died. */
export function createStoreLateParts(dependencies: {
  longMessages: Pick<LongMessageStore, 'takeDue'>;
  storeLongMessage: StoreLongMessage;
  logger: Logger;
}) {
  let nextAt = 0;

  return async function storeLateParts(): Promise<void> {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + EVERY_MS;
    for (const message of await dependencies.longMessages.takeDue(LIMIT, HOLD_MS)) {
      const { workspaceId: workspace_id, providerId: provider_id } = message;
      const log = dependencies.logger.child({ workspace_id, provider_id });
      await dependencies.storeLongMessage(message, { isLate: true, log });
    }
  };
}
