import { AppError, type BusNotice, decideCancel } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';

export type CancelMessage = ReturnType<typeof createCancelMessage>;

/** Cancels before hand-over; the row settles the race with the worker. */
export function createCancelMessage(dependencies: {
  messages: Pick<MessageStore, 'readRow' | 'apply'>;
  publishLater(notice: BusNotice): void;
}) {
  return async function cancelMessage(messageId: string): Promise<void> {
    for (;;) {
      const row = await dependencies.messages.readRow(messageId);
      const change = row === null ? null : decideCancel(row).change;
      if (change === null) {
        throw new AppError(
          'invalid_state',
          'The message has been handed to the provider or is finished',
        );
      }
      const result = await dependencies.messages.apply(change);
      // The worker claimed it in between: look at what it is now.
      if (result.kind !== 'applied') continue;
      if (result.seq !== null) {
        const { workspaceId, seq } = result;
        dependencies.publishLater({ kind: 'message', workspaceId, messageId, seq });
      }
      return;
    }
  };
}
