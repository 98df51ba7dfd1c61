import type { InboundLine } from '../carrier.ts';
import type { InboundRecord } from '../senders/receive-messages.ts';
import type { StoredInbound } from './read-database.ts';
import type { Violation } from './violation.ts';

/** The first try and five more: what Twilio gives at most, and only if it is asked to. */
const MOST_TRIES = 6;
const GIVES_UP_AFTER_MS = 14_000;
const STOP = /^(stop|unsubscribe)$/i;

export interface InboundFindings {
  violations: Violation[];
  /** Messages that the carrier has tried as often as it ever does while nothing could store them. */
  undeliverable: number;
}

/**
 * Every inbound message that the carrier was to hand over is stored exactly once, and a STOP has
 * opted its sender out.
 *
 * @param wasAway whether nothing could be stored for some of the time of a delivery
 */
export function checkInbound(
  ledger: readonly InboundLine[],
  rows: readonly StoredInbound[],
  records: readonly InboundRecord[],
  wasAway: (record: InboundRecord) => boolean,
): InboundFindings {
  const violations: Violation[] = [];
  let undeliverable = 0;
  const recordOf = new Map(records.map((record) => [record.delivery.sid, record]));
  const rowsOf = new Map<string, StoredInbound[]>();
  for (const row of rows) {
    rowsOf.set(row.providerSid, [...(rowsOf.get(row.providerSid) ?? []), row]);
  }
  const report = (detail: string, found: readonly StoredInbound[]) =>
    violations.push({ check: 'inbound', detail, messageIds: found.map(({ id }) => id) });

  for (const line of ledger) {
    const found = rowsOf.get(line.sid) ?? [];
    rowsOf.delete(line.sid);
    const name = `${line.sid} from ${line.from}, ${JSON.stringify(line.body)},`;
    const record = recordOf.get(line.sid);
    const [row] = found;
    if (row === undefined) {
      if (record !== undefined && isGivenUp(record) && wasAway(record)) undeliverable += 1;
      else report(`${name} is not stored, after ${describe(record)}`, []);
    } else if (found.length > 1) {
      report(`${name} is stored ${found.length} times`, found);
    } else if (row.from !== line.from || row.body !== line.body) {
      report(`${name} is stored as ${JSON.stringify(row.body)} from ${row.from}`, found);
    } else if (row.optedOut !== STOP.test(line.body)) {
      report(`${name} has ${row.optedOut ? '' : 'not '}opted its sender out`, found);
    }
  }
  for (const [sid, found] of rowsOf) report(`${sid} is stored, and no handset sent it`, found);
  return { violations, undeliverable };
}

/** It has made use of all that it was asked for; less would be the wiring's fault. */
function isGivenUp({ delivery, fromMs, toMs }: InboundRecord): boolean {
  return delivery.attempts === MOST_TRIES || toMs - fromMs >= GIVES_UP_AFTER_MS;
}

function describe(record: InboundRecord | undefined): string {
  if (record === undefined) return 'no delivery';
  const { attempts, status } = record.delivery;
  return `${attempts} tries, the last answered ${status ?? 'by nothing'}`;
}
