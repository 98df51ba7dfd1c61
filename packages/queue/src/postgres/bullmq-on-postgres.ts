import { type PgPool, createPostgresBackend, withBackend } from 'bullmq';

/** A pool whose connections use the tables of this schema. */
export interface PoolOfSchema extends PgPool {
  schema: string;
}

/**
 * How long a worker waits for a notification before it polls. A notification takes a millisecond;
 * polling helps if the listening connection is dead and this was not detected yet.
 */
export const POLL_AFTER_SECONDS = 2;

export const { Queue, Worker } = withBackend(
  (...args: Parameters<typeof createPostgresBackend>) => {
    const backend = createPostgresBackend(...args);
    const { schema } = args[1].connection as PoolOfSchema;
    // Given a pool, BullMQ checks the version of its default schema.
    Object.assign(Reflect.get(backend, 'connection') as object, { schema });
    // After a failed wait, BullMQ would rely on the listening connection for up to an hour.
    Object.defineProperty(backend, 'maximumBlockTimeout', { value: POLL_AFTER_SECONDS });
    return backend;
  },
);
