import type { Database } from '@switchboard/database';
import type { Finding } from './finding.ts';

const part = 'clock';
/** Stored times come from the database's clock, and those in logs and traces from each machine's. */
const MAX_DIFFERENCE_MS = 2_000;

export async function checkClock({ pool }: Pick<Database, 'pool'>): Promise<Finding[]> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const here = (before + Date.now()) / 2;
  const differenceMs = Math.round(Math.abs((rows[0]?.now.getTime() ?? 0) - here));
  if (differenceMs > MAX_DIFFERENCE_MS) {
    const detail = `This machine's clock and the database's differ by ${differenceMs / 1000} s: synchronize both with NTP.`;
    return [{ result: 'problem', part, detail }];
  }
  return [{ result: 'good', part, detail: `${differenceMs} ms from the database's clock.` }];
}
