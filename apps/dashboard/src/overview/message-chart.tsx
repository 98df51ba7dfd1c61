import type { Stats } from '@switchboard/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as units from '#strings/units';
import * as strings from '#strings/overview';
import { formatClock, formatCount, formatShortDay } from '../ui/format.ts';
import { useTimeZone } from '../ui/use-day.ts';
import { createChartScale } from './chart-scale.ts';
import { type Bar, SERIES } from './chart-series.ts';
import { ChartTable } from './chart-table.tsx';
import { TimeAxis } from './time-axis.tsx';
import { type Outcomes, countOutcomes } from './count-outcomes.ts';

const SENT = SERIES.slice(0, 3);

const WIDTH = 960;

/** Shows sent messages by outcome above the line and received messages below it, on the same scale. */
export function MessageChart({ stats, workspaceId }: { stats: Stats; workspaceId: string }) {
  const navigate = useNavigate();
  const timeZone = useTimeZone();
  const [pointed, setPointed] = useState<number | null>(null);
  const bars = stats.data.map(({ start, counts }, index) => ({
    start,
    end: stats.data[index + 1]?.start ?? stats.to,
    outcomes: countOutcomes(counts),
  }));
  const { above, below, ticks } = createChartScale(
    Math.max(0, ...bars.map(({ outcomes }) => outcomes.sent)),
    Math.max(0, ...bars.map(({ outcomes }) => outcomes.received)),
  );
  const height = Math.max(1, above + below);
  const step = WIDTH / Math.max(1, bars.length);
  const shown = pointed === null ? undefined : bars[pointed];
  const { interval } = stats;
  function indexAt({ currentTarget, clientX }: React.MouseEvent): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * bars.length);
    return Math.min(Math.max(index, 0), bars.length - 1);
  }
  const label = (iso: string): string =>
    interval === 'day'
      ? formatShortDay(iso)
      : units.dayAndTime({ day: formatShortDay(iso), time: formatClock(iso) });

  return (
    <section aria-labelledby="chart-title" className="card p-4">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="chart-title" className="font-semibold">
          {strings.messagesBy[interval]}
        </h2>
        <p className="text-[0.8125rem] text-soft tabular-nums" aria-hidden>
          {shown === undefined ? strings.selectBar : describe(label, shown)}
        </p>
      </div>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <ol aria-label={strings.scale} className="relative min-w-6 text-xs text-faint tabular-nums">
          {ticks.map((tick) => (
            <li
              key={tick}
              className="absolute right-0 -translate-y-1/2"
              style={{ top: `${((above - tick) / height) * 100}%` }}
            >
              {formatCount(Math.abs(tick))}
            </li>
          ))}
          {/* Reserves the width of the widest label. */}
          <li aria-hidden className="invisible">
            {formatCount(Math.max(above, below))}
          </li>
        </ol>
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={strings.chartOfMessagesBy[interval]}
          data-bars
          className="block h-52 w-full cursor-pointer overflow-visible"
          onPointerLeave={() => setPointed(null)}
          onPointerMove={(event) => setPointed(indexAt(event))}
          // Keyboard users have the same links in the table below.
          onClick={(event) => {
            const bar = bars[indexAt(event)];
            if (bar === undefined) return;
            void navigate({
              to: '/w/$workspaceId/messages',
              params: { workspaceId },
              search: { startDate: bar.start, endDate: bar.end },
            });
          }}
        >
          {ticks.map((tick) => (
            <line
              key={tick}
              x1={0}
              x2={WIDTH}
              y1={above - tick}
              y2={above - tick}
              vectorEffect="non-scaling-stroke"
              className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
            />
          ))}
          {bars.map(({ start, outcomes }, index) => (
            <StackedBar
              key={start}
              outcomes={outcomes}
              x={index * step + step * 0.14}
              width={step * 0.72}
              line={above}
              isFaded={pointed !== null && pointed !== index}
            />
          ))}
        </svg>
        <TimeAxis starts={bars.map(({ start }) => start)} />
        <p className="col-start-2 mt-1 text-center text-xs text-faint md:hidden">{timeZone}</p>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-soft">
        {SERIES.map(({ key, name, dot }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-sm ${dot}`} />
            {name}
          </li>
        ))}
      </ul>
      <ChartTable bars={bars} label={label} workspaceId={workspaceId} />
    </section>
  );
}

function StackedBar(props: {
  outcomes: Outcomes;
  x: number;
  width: number;
  /** The position of the zero line. */
  line: number;
  isFaded: boolean;
}) {
  const { outcomes, x, width, line } = props;
  let top = line;
  return (
    <g opacity={props.isFaded ? 0.45 : 1}>
      {SENT.map(({ key, fill }) => {
        top -= outcomes[key];
        return (
          <rect key={key} x={x} y={top} width={width} height={outcomes[key]} className={fill} />
        );
      })}
      <rect
        x={x}
        y={line}
        width={width}
        height={outcomes.received}
        className="fill-chart-received"
      />
    </g>
  );
}

function describe(label: (iso: string) => string, { start, outcomes }: Bar): string {
  const { sent, delivered, failed, received } = outcomes;
  return strings.bar({ time: label(start), sent, delivered, failed, received });
}
