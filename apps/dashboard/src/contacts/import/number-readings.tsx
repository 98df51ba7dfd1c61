import * as strings from '#strings/contact-import';
import { describeNumber } from '../../phone/describe-number.ts';
import { formatPhone } from '../../phone/format-phone.ts';
import { RowList } from '../../ui/row-list.tsx';
import type { NumberReading } from './plan/plan-import.ts';

/** Shows what the first numbers and all changed ones of a file become. */
export function NumberReadings(props: {
  readings: readonly NumberReading[];
  /** How many numbers changed; more than the list has. */
  changed: number;
}) {
  const { readings, changed } = props;
  const hidden = changed - readings.filter(({ isChanged }) => isChanged).length;
  return (
    <section aria-labelledby="numbers-title">
      <h3 id="numbers-title" className="mb-1 font-medium text-soft">
        {strings.numbers}
      </h3>
      {changed > 0 && (
        <p className="mb-1 text-[0.8125rem] text-faint">{strings.numbersHint(changed)}</p>
      )}
      <RowList
        tabIndex={0}
        aria-labelledby="numbers-title"
        className="scroller max-h-48 rounded-lg border border-line px-3 py-2 text-[0.8125rem] tabular-nums"
        items={readings}
        toCells={({ row, text, number }) => [String(row), text, formatPhone(number)]}
        end={hidden > 0 && <li className="text-faint">{strings.moreNumbers(hidden)}</li>}
      >
        {({ row, text, number }, at) => (
          <li key={at} className="flex flex-wrap gap-x-2">
            <span className="text-faint">{strings.inRow(row)}</span>
            <bdi>{text}</bdi>
            <span aria-hidden>→</span>
            <bdi className="font-medium">{describeNumber(number)}</bdi>
          </li>
        )}
      </RowList>
    </section>
  );
}
