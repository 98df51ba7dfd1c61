import { refuse, routes } from '@switchboard/contracts';
import {
  type MessageKey,
  type Transition,
  type TransitionOptions,
  decideCancel,
} from '@switchboard/core';

export type CancelMessage = (message: MessageKey, log: TransitionOptions['log']) => Promise<void>;

/** Cancels a message before a worker sends it. The row decides the race with the worker. */
export function createCancelMessage(transition: Transition): CancelMessage {
  return async function cancelMessage(message, log) {
    const { kind } = await transition(message, decideCancel, { log });
    if (kind === 'changed') return;
    throw refuse(routes.cancelMessage, 'invalid_state');
  };
}
