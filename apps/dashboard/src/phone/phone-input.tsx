import { useEffect, useRef, useState } from 'react';
import { Field } from '../ui/field.tsx';
import { groupWhileTyping, readPhone } from './read-phone.ts';

/** Takes exactly one phone number, and gives out its E.164 form, or `''` while it is none. */
export function PhoneInput(props: {
  label: string;
  name: string;
  value: string;
  onChange(value: string): void;
}) {
  const [text, setText] = useState(() => groupWhileTyping(props.value));
  const [isLeft, setLeft] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const reading = readPhone(text);
  const fault = reading.kind === 'wrong' || reading.kind === 'unfinished' ? reading.words : '';
  useEffect(() => input.current?.setCustomValidity(fault), [fault]);

  return (
    <Field
      label={props.label}
      name={props.name}
      error={reading.kind === 'wrong' || (isLeft && fault !== '') ? fault : null}
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
          onBlur={() => setLeft(true)}
          onChange={({ target }) => {
            const typed = target.value;
            // Formatting while characters are taken away, or in the middle, would fight the writer.
            const isAppended = typed.length > text.length && target.selectionStart === typed.length;
            const next = isAppended ? groupWhileTyping(typed) : typed;
            setText(next);
            setLeft(false);
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
