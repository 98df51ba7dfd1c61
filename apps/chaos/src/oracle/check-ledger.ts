import type { LedgerLine } from '../carrier.ts';
import type { StoredMessage } from './read-database.ts';
import { lineKeyOf, textOf } from './text-of.ts';
import type { Violation } from './violation.ts';

export interface LedgerFindings {
  violations: Violation[];
  /**
   * Rows that ended as `failed`, `outcome_unknown`: by their workspace's choice, after the resend, or
   * because the provider's list held a message that might be the row's and could not be proved to be.
   */
  outcomeUnknown: { byChoice: number; afterResend: number; notProved: number };
}

/** What an account sends to one recipient with one body and the same media. */
interface Text {
  rows: StoredMessage[];
  /** Lines that may be there without a row that holds them: of rows whose outcome stayed unknown. */
  mayHave: number;
  /** Likewise, if the carrier has changed the body, so that no look-up finds it. */
  mayHaveChanged: number;
}

/**
 * For every row exactly one line, save rows that were surely never sent and rows whose outcome
 * stayed unknown; and for every line a row. Rows and lines are matched by the provider's identifier,
 * and must agree on recipient, text and media. Several messages may share all three.
 *
 * @param failsByChoice the workspaces where an outcome that stays unknown is not resent
 */
export function checkLedger(
  rows: readonly StoredMessage[],
  ledger: readonly LedgerLine[],
  accountOf: (workspaceId: string) => string,
  failsByChoice: (workspaceId: string) => boolean,
): LedgerFindings {
  const violations: Violation[] = [];
  const lines = new Map(ledger.map((line) => [nameOf(line.account_sid, line.sid), line]));
  const texts = new Map<string, Text>();
  const byRecipient = groupByRecipient(ledger);
  const outcomeUnknown = { byChoice: 0, afterResend: 0, notProved: 0 };

  for (const row of rows) {
    const account = accountOf(row.workspaceId);
    const key = textOf(account, row.to, row.body, urlsOf(row));
    const text = texts.get(key) ?? { rows: [], mayHave: 0, mayHaveChanged: 0 };
    texts.set(key, text);
    text.rows.push(row);

    if (row.providerSid !== null) {
      const name = nameOf(account, row.providerSid);
      const line = lines.get(name);
      // Taken out, so that what is left are lines that no row holds.
      lines.delete(name);
      if (line === undefined) {
        violations.push(lost(row, `holds ${row.providerSid}, which the carrier never took`));
      } else if (lineKeyOf(line) !== key) {
        const detail = `${row.id} ${key} holds ${row.providerSid}, which is ${lineKeyOf(line)}`;
        violations.push({ check: 'mistaken', detail, messageIds: [row.id] });
      }
      continue;
    }
    switch (row.dispatch) {
      case 'rejected':
      case 'canceled':
        break;
      case 'unresolved':
        // A second ambiguous accident leaves nothing to try; the message is shown as failed.
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
          violations.push(lost(row, 'was given up without its resend'));
        }
        break;
      default:
        violations.push(lost(row, `is ${row.dispatch} and holds no identifier`));
    }
  }

  for (const line of lines.values()) {
    const text = texts.get(lineKeyOf(line));
    if (text === undefined) {
      const detail = `${line.sid} to ${line.to}: no program sent it`;
      violations.push({ check: 'orphan', detail, messageIds: [] });
    } else if (text.mayHave > 0) {
      text.mayHave -= 1;
    } else if (text.mayHaveChanged > 0 && line.sent_body !== line.body) {
      text.mayHaveChanged -= 1;
    } else {
      violations.push({
        check: 'duplicated',
        detail: `${line.sid} to ${line.to}, taken ${line.accepted_at}: no row holds it`,
        messageIds: text.rows.map(({ id }) => id),
      });
    }
  }
  return { violations, outcomeUnknown };
}

/** By account and recipient: what the carrier's list shows of each message. */
function groupByRecipient(ledger: readonly LedgerLine[]): Map<string, LedgerLine[]> {
  const found = new Map<string, LedgerLine[]>();
  for (const line of ledger) {
    const name = nameOf(line.account_sid, line.to);
    found.set(name, [...(found.get(name) ?? []), line]);
  }
  return found;
}

/** The list shows a message to the recipient that is not the row's, but might be it all the same. */
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
