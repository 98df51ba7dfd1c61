import * as strings from '#strings/contact-import';
import { Field } from '../../ui/field.tsx';
import { nameRegion } from '../../ui/region-name.ts';
import type { AmbiguousDigits } from './plan/read-number.ts';

/** Asks what the digits without a plus mean that may be several numbers. */
export function AmbiguousField(props: {
  country: string | null;
  value: AmbiguousDigits;
  isDisabled: boolean;
  onChange(value: AmbiguousDigits): void;
}) {
  const { country } = props;
  return (
    <Field label={strings.ambiguousNumbers} hint={strings.ambiguousNumbersHint}>
      {(control) => (
        <select
          {...control}
          className="field"
          value={props.value}
          disabled={props.isDisabled}
          onChange={({ target }) => props.onChange(target.value as AmbiguousDigits)}
        >
          <option value="skip">{strings.skipThem}</option>
          <option value="withCountryCode">{strings.withCountryCode}</option>
          {country !== null && (
            <option value="national">{strings.numbersOf(nameRegion(country))}</option>
          )}
        </select>
      )}
    </Field>
  );
}
