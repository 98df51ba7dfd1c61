import type { Stats } from '@switchboard/contracts';
import { useState } from 'react';
import { formatCount } from '../ui/format.ts';
import { type Outcomes, countOutcomes } from './count-outcomes.ts';

/** From the bottom of a bar to its top. */
const SERIES = [
  { key: 'delivered', name: 'Delivered', fill: 'fill-chart-good', dot: 'bg-chart-good' },
  { key: 'underway', name: 'On the way', fill: 'fill-chart-way', dot: 'bg-chart-way' },
  { key: 'failed', name: 'Failed', fill: 'fill-chart-bad', dot: 'bg-chart-bad' },
] as const;
const RECEIVED = {
  key: 'received',
  name: 'Received',
  fill: 'fill-chart-came',
  dot: 'bg-chart-came',
} as const;

const WIDTH = 960;
const SENT_HEIGHT = 150;
const RECEIVED_HEIGHT = 46;
const GAP = 8;

/** What was sent, by what became of it, upwards; what was received, downwards. */
export function MessageChart({ stats }: { stats: Stats }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const bars = stats.data.map(({ start, counts }) => ({ start, outcomes: countOutcomes(counts) }));
  const maxSent = Math.max(1, ...bars.map(({ outcomes }) => outcomes.sent));
  const maxReceived = Math.max(1, ...bars.map(({ outcomes }) => outcomes.received));
  const step = WIDTH / Math.max(1, bars.length);
  const width = Math.max(1, step * 0.72);
  const shown = pointed === null ? null : bars[pointed];
  const label = intervalLabel(stats.interval);

  return (
    <section aria-labelledby="chart-title" className="card p-4">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="chart-title" className="font-semibold">
          Messages by {stats.interval}
        </h2>
        <p className="text-[0.8125rem] text-soft tabular-nums" aria-hidden>
          {shown == null
            ? `Most in one ${stats.interval}: ${formatCount(maxSent)}`
            : describe(label, shown)}
        </p>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${SENT_HEIGHT + GAP + RECEIVED_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Messages by ${stats.interval}; the table below has the numbers`}
        className="block h-52 w-full"
        onPointerLeave={() => setPointed(null)}
        onPointerMove={(event) => {
          const { left, width: shownWidth } = event.currentTarget.getBoundingClientRect();
          const index = Math.floor(((event.clientX - left) / shownWidth) * bars.length);
          setPointed(Math.min(Math.max(index, 0), bars.length - 1));
        }}
      >
        {[0, 0.5].map((at) => (
          <line
            key={at}
            x1={0}
            x2={WIDTH}
            y1={at * SENT_HEIGHT}
            y2={at * SENT_HEIGHT}
            className="stroke-line"
          />
        ))}
        {bars.map(({ start, outcomes }, index) => (
          <g key={start} opacity={pointed === null || pointed === index ? 1 : 0.45}>
            <Stack
              outcomes={outcomes}
              x={index * step + (step - width) / 2}
              width={width}
              scale={SENT_HEIGHT / maxSent}
            />
            <rect
              x={index * step + (step - width) / 2}
              y={SENT_HEIGHT + GAP}
              width={width}
              height={(outcomes.received / maxReceived) * RECEIVED_HEIGHT}
              className={RECEIVED.fill}
            />
          </g>
        ))}
        <line x1={0} x2={WIDTH} y1={SENT_HEIGHT} y2={SENT_HEIGHT} className="stroke-line-strong" />
      </svg>
      <div className="mt-1 flex justify-between text-xs text-faint tabular-nums" aria-hidden>
        <span>{label(stats.from)}</span>
        <span>{label(bars.at(-1)?.start ?? stats.to)}</span>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-soft">
        {[...SERIES, RECEIVED].map(({ key, name, dot }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-sm ${dot}`} />
            {name}
          </li>
        ))}
      </ul>
      <DataTable bars={bars} label={label} />
    </section>
  );
}

function Stack(props: { outcomes: Outcomes; x: number; width: number; scale: number }) {
  let top = SENT_HEIGHT;
  return SERIES.map(({ key, fill }) => {
    const height = props.outcomes[key] * props.scale;
    top -= height;
    return (
      <rect key={key} x={props.x} y={top} width={props.width} height={height} className={fill} />
    );
  });
}

type Bar = { start: string; outcomes: Outcomes };

function DataTable({ bars, label }: { bars: readonly Bar[]; label(iso: string): string }) {
  const columns = [...SERIES, RECEIVED];
  return (
    <details className="mt-3 text-[0.8125rem]">
      <summary className="w-fit text-soft hover:text-ink">As a table</summary>
      <div
        className="scroller mt-2 max-h-72"
        tabIndex={0}
        role="group"
        aria-label="Messages by time"
      >
        <table className="w-full text-right tabular-nums">
          <thead className="sticky top-0 bg-surface text-faint">
            <tr>
              <th scope="col" className="py-1 text-left font-medium">
                From
              </th>
              {columns.map(({ key, name }) => (
                <th key={key} scope="col" className="px-2 py-1 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ start, outcomes }) => (
              <tr key={start} className="border-t border-line">
                <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                  {label(start)}
                </th>
                {columns.map(({ key }) => (
                  <td key={key} className="px-2 py-1">
                    {formatCount(outcomes[key])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function describe(label: (iso: string) => string, { start, outcomes }: Bar): string {
  const { sent, delivered, failed, received } = outcomes;
  return `${label(start)}: ${formatCount(sent)} sent, ${formatCount(delivered)} delivered, ${formatCount(failed)} failed, ${formatCount(received)} received`;
}

/** Days are counted in UTC, so they are named in UTC too; hours are the reader's own. */
function intervalLabel(interval: Stats['interval']): (iso: string) => string {
  const format = new Intl.DateTimeFormat(
    undefined,
    interval === 'day'
      ? { day: 'numeric', month: 'short', timeZone: 'UTC' }
      : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  );
  return (iso) => format.format(new Date(iso));
}
