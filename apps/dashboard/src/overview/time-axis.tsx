import { formatClock, formatShortDay } from '../ui/format.ts';
import { listTimeTicks } from './list-time-ticks.ts';

/** The time axis below a chart of equal intervals. The table of the chart has all times. */
export function TimeAxis({ starts }: { starts: readonly string[] }) {
  const { indexes, isByHour } = listTimeTicks(starts);
  const format = isByHour ? formatClock : formatShortDay;
  return (
    <ol
      aria-hidden
      className="relative col-start-2 mt-1 h-6 text-xs text-faint tabular-nums"
      data-axis="time"
    >
      {indexes.map((index) => (
        <li
          key={index}
          className="absolute border-l border-line-strong pl-1 pt-1 whitespace-nowrap"
          style={{ left: `${(index / starts.length) * 100}%` }}
        >
          {format(starts[index] ?? '')}
        </li>
      ))}
    </ol>
  );
}
