export { findRefusal } from './find-refusal.ts';
export { createPgClient, createPgPool } from './connect-postgres.ts';
export { numberParameters } from './number-parameters.ts';
export { DEFAULT_SCHEMA, parsePostgresUrl, PostgresUrlError } from './parse-postgres-url.ts';
