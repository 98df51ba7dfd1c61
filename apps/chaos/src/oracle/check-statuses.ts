import type { StoredMessage } from './read-database.ts';
import type { Violation } from './violation.ts';

/** What people see of a message is what the carrier says of it. `carrier` goes by identifier. */
export function checkStatuses(
  rows: readonly StoredMessage[],
  carrier: ReadonlyMap<string, string>,
): Violation[] {
  return rows.flatMap((row) => {
    const theirs = row.providerSid === null ? undefined : carrier.get(row.providerSid);
    // Without an identifier, or with a wrong one, it is the ledger's case.
    if (theirs === undefined || theirs === row.status) return [];
    const detail = `${row.id} is ${row.status} here and ${theirs} at the carrier`;
    return [{ check: 'status', detail, messageIds: [row.id] } as const];
  });
}
