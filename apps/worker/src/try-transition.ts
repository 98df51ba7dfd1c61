import type { Transition, TransitionOptions, TransitionResult } from '@switchboard/core';
import type { Logger } from '@switchboard/runtime';

/** Like `transition`, but logs the error and returns null if the change could not be written in time. */
export type TryTransition = (
  message: Parameters<Transition>[0],
  decide: Parameters<Transition>[1],
  options: TransitionOptions & { log: Logger },
) => Promise<TransitionResult | null>;

/**
 * Creates a `TryTransition`, only for changes that an expired lease or a later sweep repeats. It
 * never throws.
 */
export function createTryTransition(transition: Transition): TryTransition {
  return async function tryTransition(message, decide, options) {
    try {
      return await transition(message, decide, options);
    } catch (error) {
      options.log.error({ err: error }, 'failed to write a change');
      return null;
    }
  };
}
