import { CONTACT_LIMITS } from '@switchboard/contracts';
import * as strings from '#strings/contact-import';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Column, ColumnUse } from './columns/column.ts';

const USES: Record<Exclude<ColumnUse, 'field'>, string> = {
  ignore: strings.doNotImport,
  number: strings.phoneNumber,
  otherNumbers: strings.otherNumbers,
  name: strings.name,
  firstName: strings.firstName,
  lastName: strings.lastName,
  tags: strings.tags,
};

/** Shows each column that has values with examples and a menu for its use. */
export function ColumnMapping(props: {
  columns: readonly Column[];
  uses: readonly ColumnUse[];
  /** The uses before the person changes them. */
  guessed: readonly ColumnUse[];
  onChange(uses: ColumnUse[]): void;
}) {
  const { columns, uses, guessed } = props;
  const empty = columns.filter(({ values }) => values === 0).length;
  const leftOut = columns.filter(
    ({ values }, at) => values > 0 && uses[at] === 'ignore' && guessed[at] === 'ignore',
  );
  return (
    <>
      <ul
        aria-label={strings.columns}
        className="divide-y divide-line rounded-lg border border-line"
      >
        {columns.map(
          (column, at) =>
            column.values > 0 && (
              <li key={at} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                <div className="min-w-0 flex-1 basis-40">
                  <p dir="auto" className="truncate font-medium">
                    {column.header === '' ? strings.column(at + 1) : column.header}
                  </p>
                  <p dir="auto" className="truncate text-[0.8125rem] text-faint">
                    {column.examples.join(', ')}
                  </p>
                </div>
                <select
                  aria-label={strings.importColumnAs(
                    column.header === '' ? formatCount(at + 1) : column.header,
                  )}
                  className="field w-44"
                  value={uses[at]}
                  onChange={({ target }) =>
                    props.onChange(uses.with(at, target.value as ColumnUse))
                  }
                >
                  {Object.entries(USES).map(([use, label]) => (
                    <option key={use} value={use}>
                      {label}
                    </option>
                  ))}
                  <option value="field">{strings.fieldNamed(column.field)}</option>
                </select>
              </li>
            ),
        )}
      </ul>
      {empty > 0 && <p className="text-[0.8125rem] text-faint">{strings.emptyColumns(empty)}</p>}
      {leftOut.length > 0 && (
        <Notice tone="wait">
          {strings.columnsLeftOut({
            max: CONTACT_LIMITS.fields,
            names: leftOut.map(({ field }) => field).join(', '),
          })}
        </Notice>
      )}
    </>
  );
}
