/**
 * The columns that move: the state of a message. While it is in progress, they are in `message_progress` and null in
 * `message_records`; when it is finished, they are in `message_records` alone.
 */
const MOVING_COLUMNS = [
  'status',
  '"from"',
  'error_code',
  'error_detail',
  'updated_at',
  'sent_at',
  'delivered_at',
  'provider_id',
  'vendor_account_id',
  'provider_sid',
  'provider_status',
  'error_status',
  'sid_adopted',
  'dispatch',
  'version',
  'attempt',
  'resends',
  'proved_resends',
  'failed_accounts',
  'lookups',
  'started_at',
  'first_attempt_at',
  'last_event',
] as const;

/** The select list or column list of the state of a message. */
export const MOVING = MOVING_COLUMNS.join(', ');

/** The list of a `SET` that takes the state from `source`. */
export const setMoving = (source: string): string =>
  MOVING_COLUMNS.map((column) => `${column} = ${source}.${column}`).join(', ');

/** The list of a `SET` that takes the state from `source` if `condition` is true, and is null otherwise. */
export const setMovingIf = (condition: string, source: string): string =>
  MOVING_COLUMNS.map(
    (column) => `${column} = CASE WHEN ${condition} THEN ${source}.${column} END`,
  ).join(', ');

/** A select list of nulls, for the record of a message in progress. */
export const NO_STATE = MOVING_COLUMNS.map(() => 'NULL').join(', ');
