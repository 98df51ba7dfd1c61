import { createPostgresBackend, withBackend } from 'bullmq';

/**
 * How long a worker waits for a notice before it looks without one. A notice takes a millisecond;
 * this is what is left when the listening connection is dead and nobody has noticed yet.
 */
export const LOOK_AFTER_SECONDS = 2;

export const { Queue, Worker } = withBackend(
  (...args: Parameters<typeof createPostgresBackend>) => {
    const backend = createPostgresBackend(...args);
    // After a failed wait, BullMQ would trust the listening connection for up to an hour.
    Object.defineProperty(backend, 'maximumBlockTimeout', { value: LOOK_AFTER_SECONDS });
    return backend;
  },
);
