import type { Queue } from 'bullmq';
import { MAX_HINTS_PER_JOB } from './dispatch-job.ts';
import type { QueueSnapshot } from './fair-order.ts';

const STATE = 'prioritized';

/** Reads a snapshot of the queue. Null when a worker took the next job during the read. */
export async function sampleQueue(
  queue: Pick<Queue, 'getJobCounts' | 'getJobs'>,
): Promise<QueueSnapshot | null> {
  const { [STATE]: jobs = 0 } = await queue.getJobCounts(STATE);
  if (jobs === 0) return { next: null, waiting: 0 };
  // A job that a worker takes between the two steps of this call is returned as undefined.
  const [job] = (await queue.getJobs([STATE], 0, 0, true)) as (
    | { opts: { priority?: number } }
    | undefined
  )[];
  if (job?.opts.priority === undefined) return null;
  return { next: job.opts.priority, waiting: jobs * MAX_HINTS_PER_JOB };
}
