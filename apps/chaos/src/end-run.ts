import { setTimeout as delay } from 'node:timers/promises';
import type { Opened } from '@switchboard/testing';
import type { Carrier, LedgerLine } from './carrier.ts';
import type { DatabaseReader, StoredState } from './oracle/read-database.ts';
import { waitForQuiet } from './wait-for-quiet.ts';
import type { Witness } from './witness/watch-workspace.ts';

const WITNESS_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 250;

/** What the oracle judges. */
export interface Outcome {
  state: StoredState;
  /** Messages that should be finished and are not. */
  stuck: string[];
  ledger: LedgerLine[];
  secondsToQuiet: number;
}

/** Waits until nothing happens any more, ends the service, and reads what came of the run. */
export async function endRun(run: {
  stage: Pick<Opened, 'stopService'> & { carrier: Carrier };
  database: DatabaseReader;
  witnesses: readonly Witness[];
  /** Whether the witnesses may still receive events. */
  isBehind(state: StoredState): boolean;
  settleMs: number;
  limitMs: number;
}): Promise<Outcome> {
  const { stage, database, witnesses } = run;
  const quietAt = performance.now();
  await waitForQuiet({ ...run, carrier: stage.carrier });
  const secondsToQuiet = Math.round((performance.now() - quietAt) / 100) / 10;

  // Read again each time: an event of the last moment counts, too.
  const deadline = performance.now() + WITNESS_LIMIT_MS;
  let state = await database.readState();
  while (run.isBehind(state) && performance.now() < deadline) {
    await delay(LOOK_EVERY_MS);
    state = await database.readState();
  }
  for (const witness of witnesses) witness.close();
  const stuck = await database.listUnfinished();
  await stage.stopService();
  return { state, stuck, ledger: await stage.carrier.readLedger(), secondsToQuiet };
}
