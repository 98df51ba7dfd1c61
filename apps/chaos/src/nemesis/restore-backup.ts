import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgramFile } from '@switchboard/testing';
import { openDatabase, type StoredEvent } from '../oracle/read-database.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import type { Harness } from '../start-harness.ts';
import type { Witness } from '../witness/watch-workspace.ts';

const AFTER_RESTORE_MS = 30_000;
/** How long events may be in transit to a client after the workers have stopped. */
const LAST_EVENTS_MS = 1_500;

/** The data that a restore has removed; times are `Date.now()`. */
export interface Restore {
  /** Messages accepted after the backup. */
  erased: readonly SendRecord[];
  /** All events before the restore. Those from `stoppedMs` on may not have reached a client. */
  events: readonly StoredEvent[];
  stoppedMs: number;
  toMs: number;
}

/**
 * Takes a backup while the carrier refuses everything, so that the backup has unsent messages. Then
 * waits until they are sent and others are accepted, and restores the backup as docs/backup.md
 * describes. One client reconnects immediately, the others after so many new events that their cursors
 * are in the past again.
 *
 * @param send sends messages and resolves when each request is answered
 */
export async function restoreBackup(
  harness: Harness,
  witnesses: readonly Witness[],
  send: (name: 'held' | 'erased' | 'restored') => Promise<SendRecord[]>,
): Promise<{ restore: Restore; records: SendRecord[] }> {
  await harness.carrier.behave({ reject_429: 1 });
  const held = await send('held');
  const { postgres } = harness;
  if (postgres === null) throw new Error('a run with Patroni cannot restore a backup');
  await postgres.backUp();
  await harness.carrier.behave({ reject_429: 0 });
  const erased = await send('erased');

  await Promise.all(harness.workers.map((slot) => slot.stop()));
  await delay(LAST_EVENTS_MS);
  const stoppedMs = Date.now();
  const back = createBarrier();
  for (const witness of witnesses.slice(1)) witness.stayDisconnectedUntil(back.passed);
  await Promise.all(harness.apis.map((slot) => slot.stop()));
  const database = await openDatabase(postgres.url);
  const { events } = await database.readState().finally(() => database.close());
  await postgres.restore();
  await promisify(execFile)(process.execPath, [findProgramFile('after-restore')], {
    env: { DATABASE_URL: postgres.url },
    timeout: AFTER_RESTORE_MS,
  });
  await Promise.all([...harness.apis, ...harness.workers].map((slot) => slot.start()));
  const restore = { erased, events, stoppedMs, toMs: Date.now() };
  const restored = await send('restored');
  await delay(LAST_EVENTS_MS);
  back.pass();
  return { restore, records: [...held, ...restored] };
}

function createBarrier() {
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { passed, pass };
}
