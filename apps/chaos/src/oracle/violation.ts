/** The promises that a run can find broken. */
export const CHECKS = [
  /** An accepted request has no row, or a row that owes one has no line in the ledger. */
  'lost',
  /** A text has more lines in the ledger than rows. */
  'duplicated',
  /** A line in the ledger of a text that no row has. */
  'orphan',
  /** A row holds the identifier of another recipient's, text's or media's line. */
  'mistaken',
  /** An inbound message is not stored exactly once, or what it asks for is not done. */
  'inbound',
  /** An outage of the provider has failed a message, or the service kept calling. */
  'outage',
  /** A frozen process of the service has delayed another workspace. */
  'delay',
  /** A wrong clock shows in a message. */
  'clock',
  /** A message that was not finished when all was well again. */
  'stuck',
  /** A row's status is not the carrier's. */
  'status',
  /** A key with two rows, or with two answers. */
  'idempotency',
  /** A client missed an event, or saw one twice or out of order. */
  'witness',
  /** A refusal that nothing justifies, a row that a 503 had denied, a request never answered. */
  'answer',
  /** The service accepted a callback without a valid signature for this message. */
  'forgery',
  /** A process that ended, or did not start, by itself. */
  'process',
] as const;

export type Check = (typeof CHECKS)[number];

export interface Violation {
  check: Check;
  detail: string;
  /** Rows to look at. */
  messageIds: readonly string[];
}

export function toViolations(check: Check, details: readonly string[]): Violation[] {
  return details.map((detail) => ({ check, detail, messageIds: [] }));
}

export function countViolations({ violations }: { violations: readonly Violation[] }) {
  return Object.fromEntries(
    CHECKS.map((check) => [check, violations.filter((one) => one.check === check).length]),
  ) as Record<Check, number>;
}
