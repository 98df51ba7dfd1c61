import { STATEMENT_TIMEOUT_MS } from '@switchboard/core';

/** The `detail` of a read that PostgreSQL ended at its timeout, or the beginning of that `detail`. */
export const SLOW_READ = `The read took longer than the limit of ${STATEMENT_TIMEOUT_MS / 1_000} s`;
