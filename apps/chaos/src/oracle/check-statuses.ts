import type { StoredMessage } from './read-database.ts';
import type { Violation } from './violation.ts';

/**
 * Checks that the status of each message equals the carrier's. `carrier` has the statuses by
 * identifier.
 */
export function checkStatuses(
  rows: readonly StoredMessage[],
  carrier: ReadonlyMap<string, string>,
): Violation[] {
  return rows.flatMap((row) => {
    const theirs = row.providerSid === null ? undefined : carrier.get(row.providerSid);
    // The check of the ledger reports rows with a missing or wrong identifier.
    if (theirs === undefined || theirs === row.status) return [];
    const detail = `${row.id} is ${row.status} here and ${theirs} at the carrier`;
    return [{ check: 'status', detail, messageIds: [row.id] } as const];
  });
}
