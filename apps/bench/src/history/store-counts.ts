import { createStoreBreakdowns } from '@switchboard/database';
import { openTestDatabase } from '@switchboard/testing';
import type { Figure } from '../scenario.ts';

const REPORT_EVERY_MS = 10_000;

/** Stores the counts of all past days, as the workers of a running service have done. */
export async function storeCounts(options: {
  databaseUrl: string;
  messages: number;
  onProgress(what: string): void;
}): Promise<Figure[]> {
  const database = openTestDatabase(options.databaseUrl, { poolSize: 1 });
  try {
    const startedAt = performance.now();
    const storeBreakdowns = createStoreBreakdowns(database);
    while (await storeBreakdowns(REPORT_EVERY_MS))
      options.onProgress('storing the counts of past days');
    const storeMs = performance.now() - startedAt;
    await database.pool.query('VACUUM ANALYZE message_breakdowns');
    return [
      {
        name: 'counting a message for the stored counts of past days',
        value: (storeMs * 1_000) / options.messages,
        unit: 'µs',
        goal: null,
      },
    ];
  } finally {
    await database.close();
  }
}
