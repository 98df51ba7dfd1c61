import type { ComponentProps } from 'react';
import { ChoiceList } from '../ui/choice-list.tsx';
import { readKey } from '../ui/read-key.ts';
import { type Choice, describeChoice } from '../ui/use-choice.ts';

const NOTE_MAX_CHARACTERS = 2_000;

/** The text of a note in a form, which Enter submits. An `@` selects a member. */
export function NoteField(
  props: {
    label: string;
    choice: Choice;
    body: string;
    write(body: string): void;
    onEscape(field: HTMLTextAreaElement): void;
  } & Pick<ComponentProps<'textarea'>, 'aria-describedby' | 'placeholder'>,
) {
  const { label, choice, body, write, onEscape, ...attributes } = props;
  return (
    <>
      {choice.isOpen && <ChoiceList choice={choice} />}
      <textarea
        {...describeChoice(choice)}
        {...attributes}
        aria-label={label}
        dir="auto"
        rows={2}
        className="field field-sizing-content max-h-40 min-h-14 resize-none short:max-h-[18cqh] short:min-h-9 bg-wait-soft leading-relaxed"
        maxLength={NOTE_MAX_CHARACTERS}
        value={body}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (choice.onKeyDown(event)) return;
          const key = readKey(event);
          if (key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
          if (key === 'Escape') onEscape(event.currentTarget);
        }}
      />
    </>
  );
}
