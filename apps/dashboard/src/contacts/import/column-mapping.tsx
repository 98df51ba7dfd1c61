import * as strings from '#strings/contact-import';

import { formatCount } from '../../ui/format.ts';
import { type ColumnUse, fieldNameOf } from './plan-import.ts';

const USES: Record<Exclude<ColumnUse, 'field'>, string> = {
  ignore: strings.doNotImport,
  number: strings.phoneNumber,
  otherNumbers: strings.otherNumbers,
  name: strings.name,
  tags: strings.tags,
};

const SHOWN_EXAMPLES = 2;

/** Shows each column of the table with examples and a menu for its use. */
export function ColumnMapping(props: {
  rows: readonly string[][];
  uses: readonly ColumnUse[];
  onChange(uses: ColumnUse[]): void;
}) {
  const [headers = [], ...others] = props.rows;
  const examplesOf = (column: number): string =>
    others
      .map((cells) => cells[column] ?? '')
      .filter((cell) => cell.trim() !== '')
      .slice(0, SHOWN_EXAMPLES)
      .join(', ');
  return (
    <ul aria-label={strings.columns} className="divide-y divide-line rounded-lg border border-line">
      {headers.map((header, column) => (
        <li key={column} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <div className="min-w-0 flex-1 basis-40">
            <p dir="auto" className="truncate font-medium">
              {header.trim() === '' ? strings.column(column + 1) : header}
            </p>
            <p dir="auto" className="truncate text-[0.8125rem] text-faint">
              {examplesOf(column)}
            </p>
          </div>
          <select
            aria-label={strings.importColumnAs(
              header.trim() === '' ? formatCount(column + 1) : header,
            )}
            className="field w-44"
            value={props.uses[column]}
            onChange={({ target }) =>
              props.onChange(props.uses.with(column, target.value as ColumnUse))
            }
          >
            {Object.entries(USES).map(([use, label]) => (
              <option key={use} value={use}>
                {label}
              </option>
            ))}
            {header.trim() !== '' && (
              <option value="field">{strings.fieldNamed(fieldNameOf(header))}</option>
            )}
          </select>
        </li>
      ))}
    </ul>
  );
}
