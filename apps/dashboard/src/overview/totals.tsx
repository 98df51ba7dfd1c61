import type { Stats } from '@switchboard/contracts';
import { formatCount } from '../ui/format.ts';
import { countOutcomes, deliveryRate } from './count-outcomes.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

export function Totals({ stats }: { stats: Stats }) {
  const outcomes = countOutcomes(stats.data.flatMap(({ counts }) => counts));
  const rate = deliveryRate(outcomes);
  const totals = [
    {
      name: 'Sent',
      value: formatCount(outcomes.sent),
      note:
        outcomes.scheduled === 0
          ? 'from this workspace'
          : `${formatCount(outcomes.scheduled)} more scheduled`,
    },
    { name: 'Delivered', value: formatCount(outcomes.delivered), note: 'confirmed by the carrier' },
    {
      name: 'Delivery rate',
      value: rate === null ? '–' : percent.format(rate),
      note: 'of messages with a final status',
    },
    { name: 'Failed', value: formatCount(outcomes.failed), note: 'refused or undelivered' },
    { name: 'Received', value: formatCount(outcomes.received), note: 'by this workspace' },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {totals.map(({ name, value, note }) => (
        <div key={name} className="card px-4 py-3">
          <dt className="text-[0.8125rem] font-medium text-soft">{name}</dt>
          <dd className="mt-0.5 text-2xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd className="text-xs text-faint">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
