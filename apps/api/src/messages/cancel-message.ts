import { refuse, routes } from '@switchboard/contracts';
import { type Transition, type TransitionOptions, decideCancel } from '@switchboard/core';

export type CancelMessage = (messageId: string, log: TransitionOptions['log']) => Promise<void>;

/** Cancels a message before a worker sends it. The row decides the race with the worker. */
export function createCancelMessage(transition: Transition): CancelMessage {
  return async function cancelMessage(messageId, log) {
    const { kind } = await transition(messageId, decideCancel, { log });
    if (kind === 'changed') return;
    throw refuse(routes.cancelMessage, 'invalid_state');
  };
}
