import type { MessageFilter } from '@switchboard/database';

const DAY_MS = 86_400_000;

export interface NamedFilter {
  name: string;
  /** The goal for the exact total: 20 ms from stored counts, 250 ms if messages are counted. */
  totalGoalMs: 20 | 250;
  /** Returns the filter of one repetition. Two consecutive repetitions have different filters. */
  filter(
    number: number,
    ids: { accounts: readonly string[]; keys: readonly string[]; people: readonly string[] },
  ): MessageFilter;
}

const ours = (n: number) => `+1500555${String(n % 5).padStart(4, '0')}`;
const other = (n: number) => `+1202${String((n * 997) % 50_000).padStart(7, '0')}`;
/** Returns a time that is not midnight, as users choose them. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const since = (n: number) => ({ after: daysAgo(5 + 2 * n) });
const until = (n: number) => ({ before: daysAgo(1 + 2 * n) });

/** Every filter and every pair of filters of the specification, including rare and impossible values. */
export const FILTERS: readonly NamedFilter[] = [
  { name: 'no filter', totalGoalMs: 20, filter: () => ({}) },
  { name: 'status, most', totalGoalMs: 20, filter: () => ({ status: ['delivered'] }) },
  { name: 'status, 10', totalGoalMs: 20, filter: () => ({ status: ['canceled'] }) },
  { name: 'status, none', totalGoalMs: 20, filter: () => ({ status: ['sending'] }) },
  { name: 'direction, most', totalGoalMs: 20, filter: () => ({ direction: 'outbound' }) },
  { name: 'direction, few', totalGoalMs: 20, filter: () => ({ direction: 'inbound' }) },
  { name: 'from, ours', totalGoalMs: 250, filter: (n) => ({ from: [ours(n)] }) },
  { name: 'from, other', totalGoalMs: 250, filter: (n) => ({ from: [other(n)] }) },
  { name: 'to, ours', totalGoalMs: 250, filter: (n) => ({ to: [ours(n)] }) },
  { name: 'to, other', totalGoalMs: 250, filter: (n) => ({ to: [other(n)] }) },
  { name: 'startDate', totalGoalMs: 250, filter: since },
  { name: 'endDate', totalGoalMs: 250, filter: until },
  {
    name: 'direction + status',
    totalGoalMs: 20,
    filter: () => ({ direction: 'outbound', status: ['failed'] }),
  },
  {
    name: 'direction + status, none',
    totalGoalMs: 20,
    filter: () => ({ direction: 'inbound', status: ['failed'] }),
  },
  {
    name: 'direction + from',
    totalGoalMs: 250,
    filter: (n) => ({ direction: 'outbound', from: [ours(n)] }),
  },
  {
    name: 'direction + from, none',
    totalGoalMs: 250,
    filter: (n) => ({ direction: 'inbound', from: [ours(n)] }),
  },
  {
    name: 'direction + to',
    totalGoalMs: 250,
    filter: (n) => ({ direction: 'outbound', to: [other(n)] }),
  },
  {
    name: 'direction + to, none',
    totalGoalMs: 250,
    filter: (n) => ({ direction: 'outbound', to: [ours(n)] }),
  },
  {
    name: 'direction + startDate',
    totalGoalMs: 250,
    filter: (n) => ({ direction: 'inbound', ...since(n) }),
  },
  {
    name: 'direction + endDate',
    totalGoalMs: 250,
    filter: (n) => ({ direction: 'outbound', ...until(n) }),
  },
  {
    name: 'status + from',
    totalGoalMs: 250,
    filter: (n) => ({ status: ['delivered'], from: [ours(n)] }),
  },
  {
    name: 'status + from, 2',
    totalGoalMs: 250,
    filter: (n) => ({ status: ['canceled'], from: [ours(n)] }),
  },
  {
    name: 'status + to',
    totalGoalMs: 250,
    filter: (n) => ({ status: ['failed'], to: [other(n)] }),
  },
  {
    name: 'status + to, none',
    totalGoalMs: 250,
    filter: (n) => ({ status: ['failed'], to: [ours(n)] }),
  },
  {
    name: 'status + startDate',
    totalGoalMs: 250,
    filter: (n) => ({ status: ['delivered'], ...since(n) }),
  },
  {
    name: 'status, 10 + endDate',
    totalGoalMs: 250,
    filter: (n) => ({ status: ['canceled'], ...until(n) }),
  },
  { name: 'from + to', totalGoalMs: 250, filter: (n) => ({ from: [ours(n)], to: [other(n)] }) },
  {
    name: 'from + to, both ours',
    totalGoalMs: 250,
    filter: (n) => ({ from: [ours(n)], to: [ours(n)] }),
  },
  { name: 'from + startDate', totalGoalMs: 250, filter: (n) => ({ from: [ours(n)], ...since(n) }) },
  { name: 'from + endDate', totalGoalMs: 250, filter: (n) => ({ from: [ours(n)], ...until(n) }) },
  { name: 'to + startDate', totalGoalMs: 250, filter: (n) => ({ to: [other(n)], ...since(n) }) },
  { name: 'to + endDate', totalGoalMs: 250, filter: (n) => ({ to: [ours(n)], ...until(n) }) },
  {
    name: 'sent_by, most',
    totalGoalMs: 250,
    filter: (_, { keys }) => ({ sentBy: keys.slice(0, 1) }),
  },
  {
    name: 'sent_by, few',
    totalGoalMs: 250,
    filter: (_, { keys }) => ({ sentBy: keys.slice(1, 2) }),
  },
  { name: 'sent_by, 100', totalGoalMs: 250, filter: (_, { keys }) => ({ sentBy: keys.slice(2) }) },
  { name: 'sent_by, a person', totalGoalMs: 250, filter: (_, { people }) => ({ sentBy: people }) },
  {
    name: 'sent_by, a person + status',
    totalGoalMs: 250,
    filter: (_, { people }) => ({ sentBy: people, status: ['failed'] }),
  },
  {
    name: 'sent_by, a person and a key',
    totalGoalMs: 250,
    filter: (_, { people, keys }) => ({ sentBy: [...people, ...keys.slice(1, 2)] }),
  },
  {
    name: 'sent_by + status',
    totalGoalMs: 250,
    filter: (_, { keys }) => ({ sentBy: keys.slice(0, 1), status: ['failed'] }),
  },
  {
    name: 'sent_by + from',
    totalGoalMs: 250,
    filter: (n, { keys }) => ({ sentBy: keys.slice(1, 2), from: [ours(n)] }),
  },
  {
    name: 'sent_by + endDate',
    totalGoalMs: 250,
    filter: (n, { keys }) => ({ sentBy: keys.slice(0, 1), ...until(n) }),
  },
  {
    name: 'provider, most',
    totalGoalMs: 250,
    filter: (_, { accounts }) => ({ provider: accounts.slice(0, 1) }),
  },
  {
    name: 'provider, 1,000',
    totalGoalMs: 250,
    filter: (_, { accounts }) => ({ provider: accounts.slice(1) }),
  },
  {
    name: 'provider + status',
    totalGoalMs: 250,
    filter: (_, { accounts }) => ({ provider: accounts.slice(1), status: ['failed'] }),
  },
  {
    name: 'provider + sent_by',
    totalGoalMs: 250,
    filter: (_, { accounts, keys }) => ({ provider: accounts.slice(1), sentBy: keys.slice(0, 1) }),
  },
  { name: 'country_code, most', totalGoalMs: 250, filter: () => ({ countryCode: ['1'] }) },
  { name: 'country_code, 1,000', totalGoalMs: 250, filter: () => ({ countryCode: ['44'] }) },
  { name: 'country_code, none', totalGoalMs: 250, filter: () => ({ countryCode: ['49'] }) },
  {
    name: 'country_code + direction',
    totalGoalMs: 250,
    filter: () => ({ countryCode: ['44'], direction: 'inbound' }),
  },
  {
    name: 'country_code + status',
    totalGoalMs: 250,
    filter: () => ({ countryCode: ['1'], status: ['failed'] }),
  },
  {
    name: 'country_code + endDate',
    totalGoalMs: 250,
    filter: (n) => ({ countryCode: ['44'], ...until(n) }),
  },
  {
    name: 'country_code + sent_by',
    totalGoalMs: 250,
    filter: (_, { keys }) => ({ countryCode: ['44'], sentBy: keys.slice(1, 2) }),
  },
  {
    name: 'country_code + provider',
    totalGoalMs: 250,
    filter: (_, { accounts }) => ({ countryCode: ['1'], provider: accounts.slice(1) }),
  },
  { name: 'startDate + endDate', totalGoalMs: 250, filter: (n) => ({ ...since(n), ...until(n) }) },
];

export function toQuery({ after, before, sentBy, countryCode, ...same }: MessageFilter): string {
  return new URLSearchParams({
    ...(sentBy && { sent_by: sentBy.join() }),
    ...(countryCode && { country_code: countryCode.join() }),
    ...Object.fromEntries(Object.entries(same).map(([name, value]) => [name, String(value)])),
    ...(after && { startDate: after.toISOString() }),
    ...(before && { endDate: before.toISOString() }),
  }).toString();
}
