import { useEffect, useRef, useState } from 'react';
import * as strings from '#strings/ui';
import { Field } from './field.tsx';
import { formatClockWithZone } from './format.ts';
import { useTimeZone } from './use-day.ts';
import { findInstants, localPart, toLocalTime } from './local-time.ts';

/**
 * A local date and time, with the name of its zone. A time that clocks skip is refused, and of a repeated one the user chooses
 * the first or the second.
 */
export function LocalTimeField(props: {
  label: string;
  name: string;
  hint: string;
  /** As `toLocalTime` formats it. */
  value: string;
  min?: string;
  max?: string;
  className?: string;
  onChange(value: string): void;
}) {
  const { label, name, hint, value, min, max, className = '', onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  // A browser reports a time that is half typed, such as the first digit of 02, as no time.
  const [isHalfTyped, setHalfTyped] = useState(false);
  const instants = findInstants(value);
  const problem = value !== '' && instants.length === 0 ? strings.skippedTime : null;
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  const [, second] = instants;
  return (
    <div className={`flex flex-wrap items-start gap-x-2 ${className}`}>
      <Field
        label={label}
        name={name}
        hint={`${strings.inTimeZone(useTimeZone())} ${hint}`.trim()}
        error={problem}
        className="min-w-48 flex-1"
      >
        {(control) => (
          <input
            {...control}
            ref={input}
            type="datetime-local"
            required
            className="field"
            value={isHalfTyped ? '' : localPart(value)}
            min={min}
            max={max}
            onChange={({ target }) => {
              setHalfTyped(target.value === '');
              if (target.value !== '') onChange(target.value);
            }}
          />
        )}
      </Field>
      {second !== undefined && (
        <Field label={strings.repeatedTime} name={`${name}_offset`}>
          {(control) => (
            <select
              {...control}
              className="field"
              value={value}
              onChange={(event) => onChange(event.target.value)}
            >
              {instants.map((ms) => (
                <option key={ms} value={toLocalTime(ms)}>
                  {formatClockWithZone(ms)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </div>
  );
}
