import { setTimeout as pause } from 'node:timers/promises';
import type { Carrier } from './carrier.ts';
import type { DatabaseReader } from './oracle/read-database.ts';

const LOOK_EVERY_MS = 500;

/**
 * Waits until no message is owed anything and the carrier has taken nothing for `settleMs`; gives
 * up after `limitMs`. Says whether it got quiet.
 */
export async function waitForQuiet(options: {
  database: Pick<DatabaseReader, 'countUnfinished'>;
  carrier: Pick<Carrier, 'readLedger'>;
  settleMs: number;
  limitMs: number;
}): Promise<boolean> {
  const deadline = performance.now() + options.limitMs;
  let lines = -1;
  let quietSince: number | null = null;
  while (performance.now() < deadline) {
    const unfinished = await options.database.countUnfinished();
    const now = unfinished === 0 ? (await options.carrier.readLedger()).length : -1;
    if (unfinished > 0 || now !== lines) quietSince = null;
    else quietSince ??= performance.now();
    lines = now;
    if (quietSince !== null && performance.now() - quietSince >= options.settleMs) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}
