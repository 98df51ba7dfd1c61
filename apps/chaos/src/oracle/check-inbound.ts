import type { InboundLine } from '@switchboard/testing';
import type { InboundRecord } from '../senders/receive-messages.ts';
import type { StoredInbound } from './read-database.ts';
import type { Violation } from './violation.ts';

const STOP = /^(stop|unsubscribe)$/i;

export interface InboundFindings {
  violations: Violation[];
  /** Messages whose webhook the carrier stopped retrying, so that only its list has them. */
  givenUp: number;
}

/**
 * Checks that every inbound message of the carrier's ledger is stored exactly once, even if its
 * webhook failed, and that a STOP has opted its sender out. A message over SMPP has no identifier, so its
 * row is found by its sender, which sends no other message. It may be lost if the SMSC stopped
 * trying to deliver it.
 */
export function checkInbound(
  ledger: readonly InboundLine[],
  rows: readonly StoredInbound[],
  records: readonly InboundRecord[],
): InboundFindings {
  const violations: Violation[] = [];
  const recordOf = new Map(records.map((record) => [record.delivery.sid, record]));
  const rowsOf = new Map<string, StoredInbound[]>();
  for (const row of rows) {
    rowsOf.set(row.providerSid, [...(rowsOf.get(row.providerSid) ?? []), row]);
  }
  const report = (detail: string, found: readonly StoredInbound[]) =>
    violations.push({ check: 'inbound', detail, messageIds: found.map(({ id }) => id) });

  for (const line of ledger) {
    const isOverSmpp = line.provider === 'smpp';
    const found = isOverSmpp
      ? rows.filter(({ from }) => from === line.from)
      : (rowsOf.get(line.sid) ?? []);
    for (const { providerSid } of isOverSmpp ? found : []) rowsOf.delete(providerSid);
    rowsOf.delete(line.sid);
    // There is no list of messages that an SMSC has stopped trying to deliver.
    const mayBeLost = isOverSmpp && recordOf.get(line.sid)?.delivery.status !== 200;
    const name = `${line.sid} from ${line.from}, ${JSON.stringify(line.body)},`;
    const [row] = found;
    if (row === undefined) {
      if (mayBeLost) continue;
      report(`${name} is not stored, after ${describe(recordOf.get(line.sid))}`, []);
    } else if (found.length > 1) {
      report(`${name} is stored ${found.length} times`, found);
    } else if (row.from !== line.from || row.body !== line.body) {
      report(`${name} is stored as ${JSON.stringify(row.body)} from ${row.from}`, found);
    } else if (row.optedOut !== STOP.test(line.body)) {
      report(`${name} ${row.optedOut ? 'opted' : 'did not opt'} its sender out`, found);
    }
  }
  for (const [sid, found] of rowsOf) report(`${sid} is stored, but no handset sent it`, found);
  return { violations, givenUp: records.filter(({ delivery }) => delivery.status !== 200).length };
}

function describe(record: InboundRecord | undefined): string {
  if (record === undefined) return 'no delivery';
  const { attempts, status } = record.delivery;
  return `${attempts} attempts, the last with ${status === null ? 'no response' : `the response ${status}`}`;
}
