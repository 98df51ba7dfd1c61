import type { Database } from '@switchboard/database';
import type { OutboundFetch } from '@switchboard/providers';
import { type Finding, describeFailure } from './finding.ts';

/** The `Date` header has whole seconds, and lookups allow for a difference of five. */
const MAX_DIFFERENCE_MS = 3_000;
const part = 'provider clock';

/** Compares the provider's clock, from the `Date` header of its API, with the database's clock. */
export async function checkProviderClock(
  { pool }: Pick<Database, 'pool'>,
  api: { name: string; url: string },
  fetchOutbound: OutboundFetch,
): Promise<Finding[]> {
  let date: string | null;
  const sentAt = performance.now();
  try {
    date = (await fetchOutbound(api.url)).headers.get('date');
  } catch (error) {
    const detail = `${api.url} can't be reached from this machine (${describeFailure(error)}): check ${api.name}, DNS and the firewall.`;
    return [{ result: 'problem', part, detail }];
  }
  const respondedAt = performance.now();
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const readAt = (respondedAt + performance.now()) / 2;
  const providerMs = date === null ? Number.NaN : Date.parse(date) + 500;
  if (Number.isNaN(providerMs)) {
    const detail = `${api.url} responds without a \`Date\` header: check ${api.name}.`;
    return [{ result: 'warning', part, detail }];
  }
  const databaseMs = (rows[0]?.now.getTime() ?? Number.NaN) - (readAt - (sentAt + respondedAt) / 2);
  const differenceMs = Math.round(Math.abs(providerMs - databaseMs));
  if (differenceMs > MAX_DIFFERENCE_MS) {
    const detail = `The provider's clock and the database's differ by ${differenceMs / 1000} s: synchronize the database's machine with NTP.`;
    return [{ result: 'problem', part, detail }];
  }
  const detail = `Within ${MAX_DIFFERENCE_MS / 1000} s of the database's clock.`;
  return [{ result: 'good', part, detail }];
}
