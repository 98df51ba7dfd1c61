import * as strings from '#strings/contact-import';
import { Field } from '../../ui/field.tsx';
import { ENCODINGS, type Encoding } from './file/encodings.ts';
import {
  DELIMITERS,
  type Delimiter,
  type Detected,
  type FileChoices,
} from './file/file-choices.ts';

const SEPARATORS: Record<Delimiter, string> = {
  ',': strings.comma,
  ';': strings.semicolon,
  '\t': strings.tab,
  '|': strings.verticalBar,
};

/** Rows that can be chosen as the row with the names of the columns. */
const CHOICE_OF_ROWS = Array.from({ length: 10 }, (_, at) => at + 1);

/** Shows how the file is read, and lets the person change it. */
export function FileOptions(props: {
  detected: Detected;
  onChange(change: Partial<FileChoices>): void;
}) {
  const { detected, onChange } = props;
  const { headerRow } = detected;
  const rows =
    headerRow === 'none' || CHOICE_OF_ROWS.includes(headerRow)
      ? CHOICE_OF_ROWS
      : [...CHOICE_OF_ROWS, headerRow];
  return (
    <div className="grid gap-3 sm:grid-cols-[2fr_1fr_1fr]">
      <Field label={strings.encoding} hint={strings.encodingHint}>
        {(control) => (
          <select
            {...control}
            className="field"
            value={detected.encoding}
            onChange={({ target }) => onChange({ encoding: target.value as Encoding })}
          >
            {ENCODINGS.map((each) => (
              <option key={each} value={each}>
                {strings.encodingNames[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={strings.delimiter}>
        {(control) => (
          <select
            {...control}
            className="field"
            value={detected.delimiter}
            onChange={({ target }) => onChange({ delimiter: target.value as Delimiter })}
          >
            {DELIMITERS.map((each) => (
              <option key={each} value={each}>
                {SEPARATORS[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={strings.headerRow}>
        {(control) => (
          <select
            {...control}
            className="field"
            value={headerRow}
            onChange={({ target: { value } }) =>
              onChange({ headerRow: value === 'none' ? 'none' : Number(value) })
            }
          >
            <option value="none">{strings.noHeaderRow}</option>
            {rows.map((row) => (
              <option key={row} value={row}>
                {strings.inRow(row)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
