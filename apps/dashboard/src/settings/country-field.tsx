import { COUNTRIES } from '@switchboard/contracts';
import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/min';
import { useState } from 'react';
import * as strings from '#strings/settings';
import { Field } from '../ui/field.tsx';
import { nameRegion } from '../ui/region-name.ts';

/** Chooses a country, of a workspace unless other texts are given. The form reads it as `country`; an empty text is none. */
export function CountryField(props: {
  defaultValue: string | null;
  hint?: string;
  /** The choice of no country. */
  none?: string;
}) {
  const [options] = useState(listOptions);
  return (
    <Field label={strings.country} name="country" hint={props.hint ?? strings.countryHint}>
      {(control) => (
        <select {...control} className="field" defaultValue={props.defaultValue ?? ''}>
          <option value="">{props.none ?? strings.noCountry}</option>
          {options.map(({ code, label }) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Returns the countries in the order of their names in the user's language. */
function listOptions() {
  return [...COUNTRIES]
    .map((code) => {
      const callingCode = getCountryCallingCode(code as CountryCode);
      return { code, label: `${nameRegion(code)} (+${callingCode})` };
    })
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

/** Suggests a country for a new workspace: the region of the user's language, or the largest one of it. */
export function suggestCountry(): string | null {
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const { region = '' } = new Intl.Locale(locale).maximize();
  return COUNTRIES.has(region) ? region : null;
}
