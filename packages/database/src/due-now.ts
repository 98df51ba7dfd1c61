/**
 * The current time, for a column that says when a row is due. Such columns keep milliseconds, and PostgreSQL
 * rounds what it stores: with `now()`, every second row would be due only up to half a millisecond later, and a
 * worker that queries it immediately would not find it.
 */
export const DUE_NOW = `date_trunc('milliseconds', now())`;
