import { AsYouType, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { useState } from 'react';
import { Field } from '../ui/field.tsx';

/** Formats while it is written; what it gives out is E.164 as soon as the number can be read. */
export function PhoneInput(props: {
  label: string;
  value: string;
  autoFocus?: boolean;
  onChange(value: string): void;
}) {
  const [text, setText] = useState(() => format(props.value));
  const number = parse(text);
  return (
    <Field label={props.label} hint={describe(number)}>
      {(control) => (
        <input
          {...control}
          type="tel"
          autoComplete="off"
          required
          autoFocus={props.autoFocus}
          className="field tabular-nums"
          value={text}
          onChange={({ target }) => {
            const typed = target.value;
            // Formatting while characters are taken away, or in the middle, would fight the writer.
            const isAppended = typed.length > text.length && target.selectionStart === typed.length;
            const next = isAppended ? format(typed) : typed;
            setText(next);
            // What can't be read goes out as it is: the service says what is wrong with it.
            props.onChange(parse(next)?.number ?? next.trim());
          }}
        />
      )}
    </Field>
  );
}

function describe(number: ReturnType<typeof parse>): string {
  if (number?.isPossible() !== true) return 'With country code, such as +1 415 555 0100';
  const { country } = number;
  if (country === undefined) return number.number;
  const name = new Intl.DisplayNames(undefined, { type: 'region' }).of(country);
  return `${number.number} · ${name ?? country}`;
}

/** The reader's country, for numbers written without one. */
function findOwnCountry() {
  const region =
    new Intl.Locale(Intl.DateTimeFormat().resolvedOptions().locale).maximize().region ?? '';
  return isSupportedCountry(region) ? region : undefined;
}

const parse = (text: string) => parsePhoneNumberFromString(text, findOwnCountry());
const format = (text: string): string => new AsYouType(findOwnCountry()).input(text);
