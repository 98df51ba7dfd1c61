/** The guarantees that a run checks. */
export const CHECKS = [
  /** An accepted request has no row, or a sent row has no line in the ledger. */
  'lost',
  /** A text has more lines in the ledger than rows. */
  'duplicated',
  /** A line in the ledger has a text that no row has. */
  'untracked',
  /** A row has the identifier of a line with another recipient, text or media. */
  'mistaken',
  /** An inbound message is not stored exactly once, or its opt-out is missing or wrong. */
  'inbound',
  /** An outage of the provider made a message fail, or the service kept calling. */
  'outage',
  /** A frozen process of the service has delayed another workspace. */
  'delay',
  /** A wrong clock affects a message. */
  'clock',
  /** A message was not finished after all faults were over. */
  'stuck',
  /** A row's status differs from the carrier's. */
  'status',
  /** An Idempotency-Key has two rows or two responses. */
  'idempotency',
  /** A client missed an event, or received one twice or out of order. */
  'witness',
  /** An unexpected refusal, a row despite a 503, or a request that was never answered. */
  'answer',
  /** The service accepted a callback without a valid signature for this message. */
  'forgery',
  /** A workspace webhook is missing, misnumbered or wrongly signed, or arrived after its endpoint ended. */
  'webhook',
  /** A process exited unexpectedly or failed to start. */
  'process',
] as const;

export type Check = (typeof CHECKS)[number];

export interface Violation {
  check: Check;
  detail: string;
  /** The rows concerned. */
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
