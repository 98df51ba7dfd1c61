import { useEffect, useRef, useState } from 'react';
import { Field } from '../ui/field.tsx';
import { groupWhileTyping, readPhone } from './read-phone.ts';

/** Accepts one phone number. Reports it in E.164 format, or `''` while the input is not valid. */
export function PhoneInput(props: {
  label: string;
  name: string;
  value: string;
  onChange(value: string): void;
}) {
  const [text, setText] = useState(() => groupWhileTyping(props.value));
  const [hasBlurred, setHasBlurred] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const reading = readPhone(text);
  const message =
    reading.kind === 'invalid' || reading.kind === 'unfinished' ? reading.message : '';
  useEffect(() => input.current?.setCustomValidity(message), [message]);

  return (
    <Field
      label={props.label}
      name={props.name}
      error={reading.kind === 'invalid' || (hasBlurred && message !== '') ? message : null}
      hint={
        reading.kind === 'number' ? describe(reading) : 'With country code, such as +1 415 555 0100'
      }
    >
      {(control) => (
        <input
          {...control}
          ref={input}
          type="tel"
          autoComplete="off"
          required
          className="field tabular-nums"
          value={text}
          onBlur={() => setHasBlurred(true)}
          onChange={({ target }) => {
            const typed = target.value;
            // Formatting during deletions or edits in the middle would move the cursor.
            const isAppended = typed.length > text.length && target.selectionStart === typed.length;
            const next = isAppended ? groupWhileTyping(typed) : typed;
            setText(next);
            setHasBlurred(false);
            const read = readPhone(next);
            props.onChange(read.kind === 'number' ? read.number : '');
          }}
        />
      )}
    </Field>
  );
}

function describe({ number, country }: { number: string; country: string | undefined }): string {
  if (country === undefined) return number;
  const name = new Intl.DisplayNames(undefined, { type: 'region' }).of(country);
  return `${number} · ${name ?? country}`;
}
