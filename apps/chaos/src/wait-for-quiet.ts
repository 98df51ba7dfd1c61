import type { Carrier } from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseReader } from './oracle/read-database.ts';

const POLL_MS = 500;

/**
 * Waits until every message is finished, every webhook is delivered, every inbound message is stored,
 * and the carrier has accepted no message for `quietMs`. Returns false if this takes longer than
 * `limitMs`.
 */
export async function waitForQuiet(options: {
  database: Pick<DatabaseReader, 'countUnfinished' | 'countInbound' | 'countBehind'>;
  carrier: Pick<Carrier, 'readLedger' | 'readInboundLedger'>;
  quietMs: number;
  limitMs: number;
}): Promise<boolean> {
  const deadline = performance.now() + options.limitMs;
  let lines = -1;
  let quietSince: number | null = null;
  while (performance.now() < deadline) {
    const unfinished =
      (await options.database.countUnfinished()) +
      (await options.database.countBehind()) +
      (await countMissing(options));
    const now = unfinished === 0 ? (await options.carrier.readLedger()).length : -1;
    if (unfinished > 0 || now !== lines) quietSince = null;
    else quietSince ??= performance.now();
    lines = now;
    if (quietSince !== null && performance.now() - quietSince >= options.quietMs) return true;
    await delay(POLL_MS);
  }
  return false;
}

/**
 * Counts the inbound messages that are not stored yet. The worker reads the carrier's list once a minute.
 * Messages over SMPP are not counted: their requests last until they are delivered, and they are stored
 * under identifiers of the service.
 */
async function countMissing({
  database,
  carrier,
}: Pick<Parameters<typeof waitForQuiet>[0], 'database' | 'carrier'>): Promise<number> {
  const lines = (await carrier.readInboundLedger()).filter(({ provider }) => provider !== 'smpp');
  const sids = lines.map(({ sid }) => sid);
  return sids.length - (await database.countInbound(sids));
}
