import { Link } from '@tanstack/react-router';
import * as strings from '#strings/overview';
import { formatCount } from '../ui/format.ts';
import { type Bar, SERIES } from './chart-series.ts';

/** The numbers of the chart. Each row links to its messages, as each bar does. */
export function ChartTable(props: {
  bars: readonly Bar[];
  workspaceId: string;
  label(iso: string): string;
}) {
  const { bars, workspaceId, label } = props;
  return (
    <details className="mt-3 text-[0.8125rem]">
      <summary className="w-fit text-soft hover:text-ink">{strings.asTable}</summary>
      <div
        className="scroller mt-2 max-h-72"
        tabIndex={0}
        role="group"
        aria-label={strings.messagesByTime}
      >
        <table className="w-full text-right tabular-nums">
          <thead className="sticky top-0 bg-surface text-faint">
            <tr>
              <th scope="col" className="py-1 text-left font-medium">
                {strings.from}
              </th>
              {SERIES.map(({ key, name }) => (
                <th key={key} scope="col" className="px-2 py-1 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ start, end, outcomes }) => (
              <tr key={start} className="border-t border-line">
                <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                  <Link
                    to="/w/$workspaceId/messages"
                    params={{ workspaceId }}
                    search={{ startDate: start, endDate: end }}
                    preload={false}
                    className="underline underline-offset-2"
                  >
                    {label(start)}
                  </Link>
                </th>
                {SERIES.map(({ key }) => (
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
