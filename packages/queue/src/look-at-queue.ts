import type { Queue } from 'bullmq';
import { MOST_HINTS_IN_A_JOB } from './dispatch-job.ts';
import type { QueueSight } from './fair-order.ts';

const STATE = 'prioritized';

/** Null when the hint that was next is taken already: then there is nothing to be learned. */
export async function lookAtQueue(
  queue: Pick<Queue, 'getJobCounts' | 'getJobs'>,
): Promise<QueueSight | null> {
  const { [STATE]: jobs = 0 } = await queue.getJobCounts(STATE);
  if (jobs === 0) return { next: null, waiting: 0 };
  // A job that is taken between the two steps of this call comes back as nothing.
  const [job] = (await queue.getJobs([STATE], 0, 0, true)) as (
    | { opts: { priority?: number } }
    | undefined
  )[];
  if (job?.opts.priority === undefined) return null;
  return { next: job.opts.priority, waiting: jobs * MOST_HINTS_IN_A_JOB };
}
