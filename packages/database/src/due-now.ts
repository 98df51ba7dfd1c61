/**
 * The current time, for a column that says when a row is due. Such columns keep milliseconds, and
 * PostgreSQL rounds what it stores: with `now()`, half of the rows would become due up to half a
 * millisecond later, and a worker that queries them immediately would not find them.
 */
export const DUE_NOW = `date_trunc('milliseconds', now())`;
