/**
 * Words are stored for this many messages together, which takes far less space than the words of each, and
 * cannot exceed the size of a `tsvector`.
 */
export const CHUNK_MESSAGES = 200;

/**
 * No message is stored so late that its id is lower: statements and retries end before. A subquery is evaluated
 * once and is a bound of the index; the function alone is volatile, and evaluated for each row.
 */
export const SETTLED = `(SELECT uuid_v7(now() - interval '10 minutes'))`;
