import type { Figure, RunOptions } from '../scenario.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { measureDrain, startQuietCarrier } from './measure-drain.ts';

/** The measured part begins here, when the worker has loaded its code. */
const FROM = 0.05;
const TO = 0.99;

const BACKENDS = [
  { name: 'Redis', env: {}, goal: 2_500 },
  { name: 'PostgreSQL', env: { REDIS_URL: undefined }, goal: 1_500 },
] as const;

/** Measures how fast one worker sends a large backlog of one workspace, with each backend of the queue. */
export async function drainLargeBacklog(options: RunOptions): Promise<Figure[]> {
  const [count, seconds] = [200_000, options.short ? 25 : 240];
  const figures: Figure[] = [];
  for (const { name, env, goal } of BACKENDS) {
    const environment = await openBenchEnvironment({ ...options, workspaces: 1 });
    try {
      options.onProgress(`${count} messages of one workspace, queue in ${name}`);
      const carrier = await startQuietCarrier(environment, 0);
      const plan = { count, seconds, workers: 1, env, from: FROM, to: TO };
      const { perSecond, cpuMicros } = await measureDrain(environment, carrier, {
        ...environment,
        ...plan,
      });
      await environment.writeStatistics(`drain-${name}`);
      const what = `${count} of one workspace, queue in ${name}`;
      figures.push(
        { name: what, value: perSecond, unit: 'per second', goal: { atLeast: goal } },
        ...Object.entries(cpuMicros).map(([process, value]): Figure => ({
          name: `${what}: CPU time per message, ${process}`,
          value,
          unit: 'µs',
          goal: null,
        })),
      );
    } finally {
      await environment.close();
    }
  }
  return figures;
}
