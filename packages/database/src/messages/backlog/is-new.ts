/**
 * Returns the condition that a row of `due_messages` waits for its first attempt and has a hint in the queue. It is a column
 * of the index `message_progress_due_idx`.
 */
export const isNew = (row: string): string =>
  `(${row}.dispatch = 'ready' AND ${row}.attempt = 0 AND NOT ${row}.is_scheduled)`;
