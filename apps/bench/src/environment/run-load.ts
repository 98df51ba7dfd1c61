import type { LoadPlan, LoadResult } from '../programs/load.ts';
import type { Program } from '../programs/program.ts';
import type { BenchEnvironment } from './open-environment.ts';

export type LoadOptions = Pick<LoadPlan, 'url' | 'apiKeys' | 'seconds'> & Partial<LoadPlan>;

/** In a process that has just started, V8 compiles hot functions for a few seconds. */
export const WARM_UP = { seconds: 1, warmUpSeconds: 5 };

const DEFAULTS = {
  program: 'service',
  batch: 1,
  connections: 64,
  warmUpSeconds: 1,
  pauseMs: 0,
  requests: null,
  window: null,
} as const;

/** Starts the load generator, whose result is its only message. */
export function startLoad(
  { startProgram }: Pick<BenchEnvironment, 'startProgram'>,
  options: LoadOptions,
): Program {
  return startProgram('load', { ...DEFAULTS, ...options } satisfies LoadPlan);
}

export async function runLoad(
  environment: Pick<BenchEnvironment, 'startProgram'>,
  options: LoadOptions,
): Promise<LoadResult> {
  const load = startLoad(environment, options);
  const result = await load.receive<LoadResult>();
  await load.stop();
  if (Object.keys(result.refused).length > 0) {
    throw new Error(`Requests were refused: ${JSON.stringify(result.refused)}`);
  }
  return result;
}
