import type { LedgerLine } from '@switchboard/testing';
import type { SendRecord } from '../senders/send-messages.ts';
import { lineKeyOf, textOf } from './text-of.ts';
import type { Violation } from './violation.ts';

/**
 * Checks that each message that a restore erased was sent at most once. Such a message no longer has a
 * row, but may have been sent before. Returns the ledger lines of all other messages as `others`.
 *
 * @param accounts the account of each workspace, by the workspace's index
 */
export function checkErased(
  ledger: readonly LedgerLine[],
  erased: readonly SendRecord[],
  accounts: readonly string[],
): { violations: Violation[]; others: LedgerLine[] } {
  const left = new Map<string, number>();
  for (const { planned } of erased) {
    const { workspace, to, body, mediaUrls } = planned;
    const text = textOf(accounts[workspace] ?? '', to, body, mediaUrls);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  const violations: Violation[] = [];
  const others: LedgerLine[] = [];
  for (const line of ledger) {
    const text = lineKeyOf(line);
    const count = left.get(text);
    if (count === undefined) {
      others.push(line);
    } else if (count > 0) {
      left.set(text, count - 1);
    } else {
      const detail = `${line.sid} to ${line.to} was sent again after the restore that erased it`;
      violations.push({ check: 'duplicated', detail, messageIds: [] });
    }
  }
  return { violations, others };
}
