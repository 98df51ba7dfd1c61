import * as strings from '#strings/contact-import';
import { RowList } from '../../ui/row-list.tsx';

export interface ShownSkip {
  row: number;
  reason: string;
}

/** Lists the rows that an import skips, with the reasons. */
export function SkippedRows({ rows, count }: { rows: readonly ShownSkip[]; count: number }) {
  return (
    <section aria-labelledby="skipped-title">
      <h3 id="skipped-title" className="mb-1 font-medium text-soft">
        {strings.skippedRows}
      </h3>
      <RowList
        tabIndex={0}
        aria-labelledby="skipped-title"
        className="scroller max-h-48 rounded-lg border border-line px-3 py-2 text-[0.8125rem]"
        items={rows}
        toCells={({ row, reason }) => [String(row), reason]}
        end={
          count > rows.length && (
            <li className="text-faint">{strings.moreRows(count - rows.length)}</li>
          )
        }
      >
        {({ row, reason }) => (
          <li key={row}>
            {strings.skippedRow({
              row,
              place: (text) => <span className="text-faint tabular-nums">{text}</span>,
              reason: <span dir="auto">{reason}</span>,
            })}
          </li>
        )}
      </RowList>
    </section>
  );
}
