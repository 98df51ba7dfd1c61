import type { Contact } from '@switchboard/contracts';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import * as names from '#strings/names';
import * as strings from '#strings/phone';
import { ChoiceList } from '../ui/choice-list.tsx';
import { Field } from '../ui/field.tsx';
import { describeChoice, useChoice } from '../ui/use-choice.ts';
import { nameRegion } from '../ui/region-name.ts';
import { useCountry } from './country-context.tsx';
import { describeNumber } from './describe-number.ts';
import { formatPhone } from './format-phone.ts';
import { groupWhileTyping } from './group-while-typing.ts';
import { NumberQuestion } from './number-question.tsx';
import { readTypedNumber } from './read-typed-number.ts';

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
  const country = useCountry();
  const [text, setText] = useState(() => groupWhileTyping(props.value, country));
  const [hasBlurred, setHasBlurred] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const reading = readTypedNumber(text, country);
  const message =
    reading.kind === 'problem'
      ? reading.problem
      : reading.kind === 'ask'
        ? strings.whichNumber
        : '';
  useEffect(() => input.current?.setCustomValidity(message), [message]);
  const { suggestions = [], isLoading = false, onChange, onSearch } = props;
  const e164 = reading.kind === 'number' ? reading.e164 : '';
  const report = useEffectEvent((next: string) => {
    if (next !== props.value) onChange(next);
  });
  // The country of the workspace may be loaded, or changed, after the text was typed.
  useEffect(() => report(e164), [e164]);
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
    onChoose: ({ id }) => choose(id),
  });

  function choose(chosen: string): void {
    setText(formatPhone(chosen));
    onChange(chosen);
  }

  return (
    <Field
      label={props.label}
      name={props.name}
      error={
        reading.kind === 'problem' && (reading.isUnfinished ? hasBlurred : !isSearching)
          ? message
          : null
      }
      hint={
        reading.kind === 'number' ? (
          <>
            {describeNumber(e164)}
            {props.note}
          </>
        ) : reading.kind === 'ask' ? (
          strings.whichNumber
        ) : (
          hintFor(country, onSearch !== undefined)
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
              const next = isAppended ? groupWhileTyping(typed, country) : typed;
              setText(next);
              setHasBlurred(false);
              const read = readTypedNumber(next, country);
              onChange(read.kind === 'number' ? read.e164 : '');
              if (read.kind !== 'number') onSearch?.(next.trim());
            }}
          />
          {reading.kind === 'ask' && <NumberQuestion ask={reading.ask} onChoose={choose} />}
          {choice.isOpen && <ChoiceList choice={choice} side="below" />}
        </div>
      )}
    </Field>
  );
}

function hintFor(country: string | null, isSearch: boolean): string {
  if (country === null) return isSearch ? strings.recipientHint : strings.numberHint;
  return (isSearch ? strings.recipientHintIn : strings.numberHintIn)(nameRegion(country));
}
