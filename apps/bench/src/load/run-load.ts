import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROGRAMS } from './programs.ts';
import type { LoadCredit, LoadPlan, LoadResult } from './load-plan.ts';

export interface Load {
  /** Reports how many of the requests are processed, counted from the start. */
  credit(done: number): void;
  result: Promise<LoadResult>;
}

const DEFAULTS = { program: 'service' as const, pauseMs: 0, requests: null, window: null };

/** Starts the generator in a separate process, so that it does not share the event loop of the benchmark. */
export function startLoad(
  plan: Pick<LoadPlan, 'url' | 'apiKeys' | 'connections' | 'seconds' | 'warmUpSeconds'> &
    Partial<LoadPlan>,
): Load {
  const completePlan: LoadPlan = { ...DEFAULTS, ...plan };
  const child = fork(join(import.meta.dirname, 'load-process.js'), [JSON.stringify(completePlan)]);
  const exited = once(child, 'exit');
  const result = Promise.race([
    once(child, 'message').then(([message]) => message as LoadResult),
    exited.then(([code]) => {
      throw new Error(`the load generator ended with ${code}`);
    }),
  ]);
  return {
    credit(done) {
      // A generator that has ended needs no more credits. `result` reports its end.
      if (child.connected) child.send({ done } satisfies LoadCredit, () => undefined);
    },
    result: result.finally(() => exited),
  };
}

export async function runLoad(plan: Parameters<typeof startLoad>[0]): Promise<LoadResult> {
  const result = await startLoad(plan).result;
  const accepted = String(PROGRAMS[plan.program ?? DEFAULTS.program].acceptedStatus);
  const refused = Object.entries(result.answers).filter(([status]) => status !== accepted);
  if (refused.length > 0) {
    throw new Error(`Requests were refused: ${JSON.stringify(result.answers)}`);
  }
  return result;
}
