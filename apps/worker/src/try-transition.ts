import type { Transition, TransitionOptions, TransitionResult } from '@switchboard/core';
import type { Logger } from '@switchboard/runtime';

/** As `transition`; null when the database stayed away for all the time allowed, which is logged. */
export type TryTransition = (
  message: Parameters<Transition>[0],
  decide: Parameters<Transition>[1],
  options: TransitionOptions & { log: Logger },
) => Promise<TransitionResult | null>;

/** For callers whose change is not lost: a lease that expires or a later sweep repeats it. Never throws. */
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
