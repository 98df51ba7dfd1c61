import type { MessageFilter } from '@switchboard/database';
import type { idsOf } from './generate-messages.ts';

const DAY_MS = 86_400_000;

/** The number of the repetition, of which two consecutive ones have different filters, and the workspace's ids. */
type Part = (number: number, ids: ReturnType<typeof idsOf>) => MessageFilter;

const ours = (n: number) => [`+1500555${String(n % 5).padStart(4, '0')}`];
const other = (n: number) => [`+1202${String((n * 997) % 50_000).padStart(7, '0')}`];
/** Returns a time that is not midnight, as users choose them. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

const PARTS: Readonly<Record<string, Part>> = {
  'no filter': () => ({}),
  'status: most': () => ({ status: ['delivered'] }),
  'status: failed': () => ({ status: ['failed'] }),
  'status: 10': () => ({ status: ['canceled'] }),
  'status: none': () => ({ status: ['sending'] }),
  'direction: outbound': () => ({ direction: 'outbound' }),
  'direction: inbound': () => ({ direction: 'inbound' }),
  'from: ours': (n) => ({ from: ours(n) }),
  'from: other': (n) => ({ from: other(n) }),
  'to: ours': (n) => ({ to: ours(n) }),
  'to: other': (n) => ({ to: other(n) }),
  startDate: (n) => ({ after: daysAgo(5 + 2 * n) }),
  endDate: (n) => ({ before: daysAgo(1 + 2 * n) }),
  'sent_by: most': (_, { keys }) => ({ sentBy: keys.slice(0, 1) }),
  'sent_by: few': (_, { keys }) => ({ sentBy: keys.slice(1, 2) }),
  'sent_by: 100': (_, { keys }) => ({ sentBy: keys.slice(2) }),
  'sent_by: a person': (_, { people }) => ({ sentBy: people }),
  'sent_by: two': (_, { people, keys }) => ({ sentBy: [...people, ...keys.slice(1, 2)] }),
  'provider: most': (_, { accounts }) => ({ provider: accounts.slice(0, 1) }),
  'provider: 1,000': (_, { accounts }) => ({ provider: accounts.slice(1) }),
  'country_code: most': () => ({ countryCode: ['1'] }),
  'country_code: 1,000': () => ({ countryCode: ['44'] }),
  'country_code: none': () => ({ countryCode: ['49'] }),
};

const PAIRS = `direction: outbound + status: failed | direction: inbound + status: failed
direction: outbound + from: ours | direction: inbound + from: ours | direction: outbound + to: other
direction: outbound + to: ours | direction: inbound + startDate | direction: outbound + endDate
status: most + from: ours | status: 10 + from: ours | status: failed + to: other
status: failed + to: ours | status: most + startDate | status: 10 + endDate | from: ours + to: other
from: ours + to: ours | from: ours + startDate | from: ours + endDate | to: other + startDate
to: ours + endDate | sent_by: a person + status: failed | sent_by: most + status: failed
sent_by: few + from: ours | sent_by: most + endDate | provider: 1,000 + status: failed
provider: 1,000 + sent_by: most | country_code: 1,000 + direction: inbound
country_code: most + status: failed | country_code: 1,000 + endDate
country_code: 1,000 + sent_by: few | country_code: most + provider: 1,000 | startDate + endDate`;

/** Every filter and every pair of filters of the specification, including rare and impossible values. */
export const FILTERS: readonly { name: string; filter: Part }[] = [
  ...Object.keys(PARTS).filter((name) => name !== 'status: failed'),
  ...PAIRS.split(/ \| |\n/),
].map((name) => ({
  name,
  filter(...of) {
    const [first = '', second = 'no filter'] = name.split(' + ');
    return { ...partOf(first)(...of), ...partOf(second)(...of) };
  },
}));

function partOf(name: string): Part {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`there is no filter ${name}`);
  return part;
}

export function toQuery({ after, before, sentBy, countryCode, ...same }: MessageFilter): string {
  return new URLSearchParams({
    ...(sentBy && { sent_by: sentBy.join() }),
    ...(countryCode && { country_code: countryCode.join() }),
    ...Object.fromEntries(Object.entries(same).map(([name, value]) => [name, String(value)])),
    ...(after && { startDate: after.toISOString() }),
    ...(before && { endDate: before.toISOString() }),
  }).toString();
}
