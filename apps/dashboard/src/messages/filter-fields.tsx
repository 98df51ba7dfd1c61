import { REFERENCE_MAX_CHARACTERS } from '@switchboard/contracts';
import { type ReactNode, useId } from 'react';
import * as strings from '#strings/messages';
import * as ui from '#strings/ui';
import { describeNumber } from '../phone/describe-number.ts';
import { digitsOf } from '../phone/group-while-typing.ts';
import { readTypedNumber } from '../phone/read-typed-number.ts';
import { useTimeZone } from '../ui/use-day.ts';
import { findInstants, toLocalInput } from '../ui/local-time.ts';
import { readKey } from '../ui/read-key.ts';
import { isCountryCode, isInstant } from './message-filters.ts';

export const CONTROL = 'field h-9 min-w-0 px-2 py-1 text-[0.8125rem]';

export function Labeled(props: {
  label: string;
  className: string;
  children(id: string): ReactNode;
}) {
  const id = useId();
  return (
    <div className={`min-w-0 @5xl:grow ${props.className}`}>
      <label htmlFor={id} className="mb-0.5 block text-xs font-medium text-faint">
        {props.label}
      </label>
      {props.children(id)}
    </div>
  );
}

/** A date input, or a local date and time if the address contains an instant. */
export function TimeFilter(props: {
  label: string;
  value: string | undefined;
  onChange(value: string): void;
}) {
  const { label, value, onChange } = props;
  const hasTime = isInstant(value);
  const timeZone = useTimeZone();
  function change(input: HTMLInputElement): void {
    if (!hasTime || input.value === '') return onChange(input.value);
    const [first] = findInstants(input.value);
    input.setCustomValidity(first === undefined ? ui.skippedTime : '');
    if (input.reportValidity() && first !== undefined) onChange(new Date(first).toISOString());
  }
  return (
    <Labeled
      label={hasTime ? ui.inZone({ label, timeZone }) : label}
      className={hasTime ? '@5xl:max-w-64 @5xl:basis-56' : '@5xl:max-w-33 @5xl:basis-29'}
    >
      {(id) => (
        <input
          id={id}
          type={hasTime ? 'datetime-local' : 'date'}
          title={ui.inTimeZone(timeZone)}
          className={CONTROL}
          value={hasTime ? toLocalInput(Date.parse(value ?? '')) : (value ?? '')}
          onChange={({ target }) => change(target)}
        />
      )}
    </Labeled>
  );
}

/**
 * Applies a text on blur or Enter, because a partial value matches nothing. Several values are separated
 * by commas.
 */
export function TextFilter(props: {
  label: string;
  className: string;
  type?: 'tel' | 'text';
  placeholder?: string;
  value: string | undefined;
  isFirst?: boolean;
  /** Returns the error message for an invalid text, or null. */
  check(text: string): string | null;
  /** Returns a valid text in the form in which it is searched. By default, this is the text itself. */
  write?(text: string): string;
  onChange(value: string): void;
}) {
  const commit = (input: HTMLInputElement): void => {
    input.setCustomValidity(props.check(input.value) ?? '');
    // Shown in a bubble, because a line below the field would move the list.
    if (!input.reportValidity()) return;
    const value = props.write?.(input.value) ?? input.value;
    input.value = value;
    if (value !== (props.value ?? '')) props.onChange(value);
  };
  return (
    <Labeled label={props.label} className={props.className}>
      {(id) => (
        <input
          // The key resets the input when Back or Clear changes the address.
          key={props.value}
          id={id}
          type={props.type ?? 'text'}
          placeholder={props.placeholder}
          className={CONTROL}
          defaultValue={props.value}
          data-find={props.isFirst === true || undefined}
          onBlur={(event) => commit(event.currentTarget)}
          onInput={(event) => event.currentTarget.setCustomValidity('')}
          onKeyDown={(event) => {
            const key = readKey(event);
            if (key === 'Enter') commit(event.currentTarget);
            if (key === 'Escape') event.currentTarget.blur();
          }}
        />
      )}
    </Labeled>
  );
}

/** Returns the error message for the first text that is not a number, or that may be several; null if there is none. */
export function checkNumbers(text: string, country: string | null): string | null {
  for (const part of text.split(',')) {
    const reading = readTypedNumber(part, country);
    if (reading.kind === 'problem') return reading.problem;
    if (reading.kind === 'ask') return strings.writeOneOf(reading.ask.map(describeNumber));
  }
  return null;
}

/** Returns checked numbers so that the address, where a number is its digits, selects the numbers that were read. */
export function writeNumbers(text: string, country: string | null): string {
  const write = (part: string): string => {
    const reading = readTypedNumber(part, country);
    if (reading.kind !== 'number') return '';
    return `+${digitsOf(part)}` === reading.e164 ? part.trim() : reading.e164;
  };
  return text
    .split(',')
    .map(write)
    .filter((part) => part !== '')
    .join(', ');
}

/** Returns an error message if a text is not a country code, or null. */
export function checkCountryCodes(text: string): string | null {
  const given = text.split(',').filter((part) => part.trim() !== '');
  const wrong = given.find((part) => !isCountryCode(part.trim().replace(/^\+/, '')));
  return wrong === undefined ? null : strings.countryCodesInvalid;
}

/** Returns an error message if a text is longer than any reference, or null. */
export function checkReference(text: string): string | null {
  return text.trim().length > REFERENCE_MAX_CHARACTERS
    ? strings.referenceTooLong(REFERENCE_MAX_CHARACTERS)
    : null;
}
