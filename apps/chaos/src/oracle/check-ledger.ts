import type { LedgerLine } from '../carrier.ts';
import type { StoredMessage } from './read-database.ts';
import type { Violation } from './violation.ts';

export interface LedgerFindings {
  violations: Violation[];
  /** Rows that ended as `failed`, `outcome_unknown`: by their workspace's choice, or after the resend. */
  outcomeUnknown: { byChoice: number; afterResend: number };
}

/**
 * For every row exactly one line, save rows that were surely never sent and rows whose outcome
 * stayed unknown; and for every line a row. Rows and lines are matched by the provider's identifier.
 * A text is an account, a recipient and a body: several messages may share one.
 *
 * @param failsByChoice the workspaces where an outcome that stays unknown is not resent: there a
 *   failed row may have its line after all
 */
export function checkLedger(
  rows: readonly StoredMessage[],
  ledger: readonly LedgerLine[],
  accountOf: (workspaceId: string) => string,
  failsByChoice: (workspaceId: string) => boolean,
): LedgerFindings {
  const violations: Violation[] = [];
  const lines = new Map(ledger.map((line) => [nameOf(line.account_sid, line.sid), line]));
  const texts = new Map<string, { rows: StoredMessage[]; mayHaveOne: number }>();
  const outcomeUnknown = { byChoice: 0, afterResend: 0 };

  for (const row of rows) {
    const account = accountOf(row.workspaceId);
    const key = textOf(account, row.to, row.body);
    const text = texts.get(key) ?? { rows: [], mayHaveOne: 0 };
    texts.set(key, text);
    text.rows.push(row);

    if (row.providerSid !== null) {
      // Taken out, so that what is left are lines that no row holds.
      if (!lines.delete(nameOf(account, row.providerSid))) {
        violations.push(lost(row, `holds ${row.providerSid}, which the carrier never took`));
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
          text.mayHaveOne += 1;
        } else if (row.resends > 0) {
          outcomeUnknown.afterResend += 1;
        } else {
          violations.push(lost(row, 'was given up without its resend'));
        }
        break;
      default:
        violations.push(lost(row, `is ${row.dispatch} and holds no identifier`));
    }
  }

  for (const line of lines.values()) {
    const text = texts.get(textOf(line.account_sid, line.to, line.body));
    if (text === undefined) {
      const detail = `${line.sid} to ${line.to}: nobody asked for it`;
      violations.push({ check: 'orphan', detail, messageIds: [] });
    } else if (text.mayHaveOne > 0) {
      text.mayHaveOne -= 1;
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

function lost(row: StoredMessage, what: string): Violation {
  return { check: 'lost', detail: `${row.id} ${what}`, messageIds: [row.id] };
}

function nameOf(account: string, sid: string): string {
  return `${account}/${sid}`;
}

function textOf(account: string, to: string, body: string): string {
  return JSON.stringify([account, to, body]);
}
