import type { Contact } from '@switchboard/contracts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import * as names from '#strings/names';
import * as strings from '#strings/phone';
import { ChoiceList } from '../ui/choice-list.tsx';
import { Field } from '../ui/field.tsx';
import { describeChoice, useChoice } from '../ui/use-choice.ts';
import { formatPhone } from './format-phone.ts';
import { groupWhileTyping, readPhone } from './read-phone.ts';

/** Accepts one phone number. Reports it in E.164 format, or `''` while the input is not valid. */
export function PhoneInput(props: {
  label: string;
  name: string;
  value: string;
  onChange(value: string): void;
  /** Contacts for the entered text. Choosing one enters its number. */
  suggestions?: readonly Pick<Contact, 'number' | 'name'>[];
  /** Whether the suggestions still belong to an earlier text. */
  isLoading?: boolean;
  /** Called with the text while it is not a number. */
  onSearch?(text: string): void;
  /** Shown with the number, for example the name of its contact. */
  note?: ReactNode;
}) {
  const [text, setText] = useState(() => groupWhileTyping(props.value));
  const [hasBlurred, setHasBlurred] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const reading = readPhone(text);
  const message =
    reading.kind === 'invalid' || reading.kind === 'unfinished' ? reading.message : '';
  useEffect(() => input.current?.setCustomValidity(message), [message]);
  const { suggestions = [], isLoading = false, onSearch } = props;
  // A name is not an error while it is typed.
  const isSearching = onSearch !== undefined && !hasBlurred && /^\s*\p{L}/u.test(text);
  const choice = useChoice({
    label: names.contacts,
    isOpen: isSearching && suggestions.length > 0,
    text,
    isLoading,
    items: suggestions.map(({ number, name }) => ({
      id: number,
      title: name === '' ? formatPhone(number) : name,
      ...(name !== '' && { about: formatPhone(number) }),
    })),
    onChoose({ id: number }) {
      setText(groupWhileTyping(number));
      props.onChange(number);
    },
  });

  return (
    <Field
      label={props.label}
      name={props.name}
      error={
        (reading.kind === 'invalid' && !isSearching) || (hasBlurred && message !== '')
          ? message
          : null
      }
      hint={
        reading.kind === 'number' ? (
          <>
            {describe(reading)}
            {props.note}
          </>
        ) : onSearch === undefined ? (
          strings.numberHint
        ) : (
          strings.recipientHint
        )
      }
    >
      {(control) => (
        <div className="relative">
          <input
            {...control}
            {...(onSearch !== undefined && describeChoice(choice))}
            ref={input}
            type={onSearch === undefined ? 'tel' : 'text'}
            autoComplete="off"
            required
            className="field tabular-nums"
            value={text}
            onBlur={() => setHasBlurred(true)}
            onKeyDown={choice.onKeyDown}
            onChange={({ target }) => {
              const typed = target.value;
              // Formatting during deletions or edits in the middle would move the cursor.
              const isAppended =
                typed.length > text.length && target.selectionStart === typed.length;
              const next = isAppended ? groupWhileTyping(typed) : typed;
              setText(next);
              setHasBlurred(false);
              const read = readPhone(next);
              props.onChange(read.kind === 'number' ? read.number : '');
              if (read.kind !== 'number') onSearch?.(next.trim());
            }}
          />
          {choice.isOpen && <ChoiceList choice={choice} side="below" />}
        </div>
      )}
    </Field>
  );
}

function describe({ number, country }: { number: string; country: string | undefined }): string {
  if (country === undefined) return number;
  const name = new Intl.DisplayNames(undefined, { type: 'region' }).of(country);
  return `${number} · ${name ?? country}`;
}
