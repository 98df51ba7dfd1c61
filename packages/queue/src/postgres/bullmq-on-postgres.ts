import { createPostgresBackend, withBackend } from 'bullmq';

/**
 * How long a worker waits for a notification before it polls. A notification takes a millisecond;
 * polling helps if the listening connection is dead and this was not detected yet.
 */
export const POLL_AFTER_SECONDS = 2;

export const { Queue, Worker } = withBackend(
  (...args: Parameters<typeof createPostgresBackend>) => {
    const backend = createPostgresBackend(...args);
    // After a failed wait, BullMQ would rely on the listening connection for up to an hour.
    Object.defineProperty(backend, 'maximumBlockTimeout', { value: POLL_AFTER_SECONDS });
    return backend;
  },
);
