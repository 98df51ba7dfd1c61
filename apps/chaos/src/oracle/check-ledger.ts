import type { LedgerLine } from '@switchboard/testing';
import type { StoredMessage } from './read-database.ts';
import { lineKeyOf, textOf } from './text-of.ts';
import type { Violation } from './violation.ts';

export interface LedgerFindings {
  violations: Violation[];
  /**
   * Rows that failed with `outcome_unknown`: by their workspace's setting, after the resend, or
   * because the provider's list had a message that could be the row's, without proof. `withoutLookup`
   * are rows whose provider has no lookup and sent no status.
   */
  outcomeUnknown: {
    byChoice: number;
    afterResend: number;
    notProved: number;
    withoutLookup: number;
  };
}

/** The messages of one account with the same recipient, body and media. */
interface Text {
  rows: StoredMessage[];
  /** Number of lines that need no row: those of rows whose outcome stayed unknown. */
  mayHave: number;
  /** The same, for lines whose body the carrier changed, so that no lookup finds them. */
  mayHaveChanged: number;
}

/**
 * Checks that every row has exactly one line, except rows that were certainly never sent and rows
 * whose outcome stayed unknown, and that every line has a row. Rows and lines are matched by the
 * provider's identifier, and must have the same recipient, text and media. Several messages may
 * share all three.
 *
 * @param failsByChoice the workspaces where an outcome that stays unknown is not resent
 * @param hasLookup whether the provider of a row's latest attempt lists what it has sent
 */
export function checkLedger(
  rows: readonly StoredMessage[],
  ledger: readonly LedgerLine[],
  accountOf: (workspaceId: string) => string,
  failsByChoice: (workspaceId: string) => boolean,
  hasLookup: (row: StoredMessage) => boolean = () => true,
): LedgerFindings {
  const violations: Violation[] = [];
  const lines = new Map(ledger.map((line) => [nameOf(line.account_sid, line.sid), line]));
  const texts = new Map<string, Text>();
  const byRecipient = groupByRecipient(ledger);
  const outcomeUnknown = { byChoice: 0, afterResend: 0, notProved: 0, withoutLookup: 0 };

  for (const row of rows) {
    const account = accountOf(row.workspaceId);
    const key = textOf(account, row.to, row.body, urlsOf(row));
    const text = texts.get(key) ?? { rows: [], mayHave: 0, mayHaveChanged: 0 };
    texts.set(key, text);
    text.rows.push(row);

    if (row.providerSid !== null) {
      const name = nameOf(account, row.providerSid);
      const line = lines.get(name);
      // Removed, so that only lines without a row remain.
      lines.delete(name);
      if (line === undefined) {
        violations.push(
          lost(row, `has the identifier ${row.providerSid}, which the carrier never accepted`),
        );
      } else if (lineKeyOf(line) !== key) {
        const detail = `${row.id} ${key} has the identifier ${row.providerSid}, which is ${lineKeyOf(line)}`;
        violations.push({ check: 'mistaken', detail, messageIds: [row.id] });
      }
      continue;
    }
    switch (row.dispatch) {
      case 'rejected':
      case 'canceled':
        break;
      case 'unresolved':
        // After a second ambiguous fault, the message is reported as failed.
        if (failsByChoice(row.workspaceId)) {
          outcomeUnknown.byChoice += 1;
          text.mayHave += 1;
        } else if (row.resends > 0) {
          outcomeUnknown.afterResend += 1;
          text.mayHaveChanged += 1;
        } else if (isDoubtful(row, byRecipient.get(nameOf(account, row.to)))) {
          outcomeUnknown.notProved += 1;
          text.mayHave += 1;
        } else {
          violations.push(lost(row, 'failed without its resend'));
        }
        break;
      default:
        if (row.dispatch === 'unknown' && !hasLookup(row)) {
          outcomeUnknown.withoutLookup += 1;
          text.mayHave += 1;
        } else {
          violations.push(lost(row, `is ${row.dispatch} without an identifier`));
        }
    }
  }

  for (const line of lines.values()) {
    const text = texts.get(lineKeyOf(line));
    if (text === undefined) {
      const detail = `${line.sid} to ${line.to}: no client sent it`;
      violations.push({ check: 'untracked', detail, messageIds: [] });
    } else if (text.mayHave > 0) {
      text.mayHave -= 1;
    } else if (text.mayHaveChanged > 0 && line.sent_body !== line.body) {
      text.mayHaveChanged -= 1;
    } else {
      violations.push({
        check: 'duplicated',
        detail: `${line.sid} to ${line.to}, accepted at ${line.accepted_at}: no row has its identifier`,
        messageIds: text.rows.map(({ id }) => id),
      });
    }
  }
  return { violations, outcomeUnknown };
}

/** Groups the lines by account and recipient, as the carrier's list shows them. */
function groupByRecipient(ledger: readonly LedgerLine[]): Map<string, LedgerLine[]> {
  const found = new Map<string, LedgerLine[]>();
  for (const line of ledger) {
    const name = nameOf(line.account_sid, line.to);
    found.set(name, [...(found.get(name) ?? []), line]);
  }
  return found;
}

/** Returns whether the list has a message to the recipient that could be the row's. */
function isDoubtful(row: StoredMessage, lines: readonly LedgerLine[] = []): boolean {
  const urls = urlsOf(row).toSorted().join();
  return lines.some(
    (line) => line.sent_body !== row.body || line.media_urls.toSorted().join() !== urls,
  );
}

function lost(row: StoredMessage, what: string): Violation {
  return { check: 'lost', detail: `${row.id} ${what}`, messageIds: [row.id] };
}

function nameOf(account: string, sid: string): string {
  return `${account}/${sid}`;
}

function urlsOf({ media }: StoredMessage): string[] {
  return media.map(({ url }) => url);
}
