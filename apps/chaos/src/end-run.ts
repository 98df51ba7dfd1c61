import { setTimeout as delay } from 'node:timers/promises';
import type { Carrier, LedgerLine, Opened } from '@switchboard/testing';
import type { StoredEndpoint } from './oracle/check-webhooks.ts';
import type { DatabaseReader, StoredState } from './oracle/read-database.ts';
import { waitForQuiet } from './wait-for-quiet.ts';
import type { Witness } from './witness/watch-workspace.ts';

const WITNESS_LIMIT_MS = 20_000;
const POLL_MS = 250;

/** The input of the oracle. */
export interface Outcome {
  state: StoredState;
  /** Messages that should be finished but are not. */
  stuck: string[];
  ledger: LedgerLine[];
  webhookEndpoints: StoredEndpoint[];
  secondsToQuiet: number;
}

/** Waits until the service is idle, stops it, and reads the final state. */
export async function endRun(run: {
  environment: Pick<Opened, 'stopService'> & { carrier: Carrier };
  database: DatabaseReader;
  witnesses: readonly Witness[];
  /** Returns whether the witnesses may still receive events. */
  isBehind(state: StoredState): boolean;
  quietMs: number;
  limitMs: number;
}): Promise<Outcome> {
  const { environment, database, witnesses } = run;
  const quietAt = performance.now();
  await waitForQuiet({ ...run, carrier: environment.carrier });
  const secondsToQuiet = Math.round((performance.now() - quietAt) / 100) / 10;

  // The state is read again each time, because further events may have been stored.
  const deadline = performance.now() + WITNESS_LIMIT_MS;
  let state = await database.readState();
  while (run.isBehind(state) && performance.now() < deadline) {
    await delay(POLL_MS);
    state = await database.readState();
  }
  for (const witness of witnesses) witness.close();
  const stuck = await database.listUnfinished();
  await environment.stopService();
  const webhookEndpoints = await database.readEndpoints();
  const ledger = await environment.carrier.readLedger();
  return { state, stuck, ledger, webhookEndpoints, secondsToQuiet };
}
