import type { Queue } from 'bullmq';
import type { QueueSight } from './fair-order.ts';

const STATE = 'prioritized';

/** Null when the hint that was next is taken already: then there is nothing to be learned. */
export async function lookAtQueue(
  queue: Pick<Queue, 'getJobCounts' | 'getJobs'>,
): Promise<QueueSight | null> {
  const { [STATE]: waiting = 0 } = await queue.getJobCounts(STATE);
  if (waiting === 0) return { next: null, waiting };
  // A job that is taken between the two steps of this call comes back as nothing.
  const [job] = (await queue.getJobs([STATE], 0, 0, true)) as (
    | { opts: { priority?: number } }
    | undefined
  )[];
  return job?.opts.priority === undefined ? null : { next: job.opts.priority, waiting };
}
