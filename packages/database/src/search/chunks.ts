/**
 * Words are stored for this many messages together, which takes far less space than the words of each, and
 * cannot exceed the size of a `tsvector`.
 */
export const CHUNK_MESSAGES = 200;

/**
 * No message that is still to be accepted has a lower id, because statements and retries end sooner.
 * One that is received late is added to the chunk of its neighbors (`add-to-chunks.ts`). A subquery is
 * evaluated once and is a bound of the index; the function alone is volatile, and evaluated for each
 * row.
 */
export const INDEXABLE_BEFORE = `(SELECT uuid_v7(now() - interval '10 minutes'))`;

/** Selects the words of `body` and of `number` of a row. PostgreSQL refuses words of more than 2,046 bytes. */
export const readWords = (row: string): string => `
  SELECT word FROM regexp_split_to_table(lower(${row}.body), '[^[:alnum:]]+') AS word
  WHERE word <> '' AND octet_length(word) < 2000
  UNION ALL
  SELECT '+' || reverse(ltrim(${row}.number, '+')) WHERE ${row}.number IS NOT NULL`;
