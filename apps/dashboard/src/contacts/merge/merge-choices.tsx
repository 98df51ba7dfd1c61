import type { Contact } from '@switchboard/contracts';
import { type ReactNode, useId } from 'react';
import * as strings from '#strings/contacts';
import { formatPhone } from '../../phone/format-phone.ts';
import { type MergeDraft, chooseField, chooseNumber, listOptions, toggle } from './merge-draft.ts';

/** Selects which numbers, name, tags and fields of two contacts the merged contact has. */
export function MergeChoices(props: {
  contact: Contact;
  other: Contact;
  draft: MergeDraft;
  onChange(draft: MergeDraft): void;
}) {
  const { draft, onChange } = props;
  const { numbers, names, tags, fields } = listOptions(props.contact, props.other);
  const others = numbers.filter((number) => number !== draft.number);
  return (
    <>
      {names.length > 1 && (
        <Choice
          legend={strings.name}
          options={names}
          chosen={draft.name}
          onChoose={(name) => onChange({ ...draft, name })}
        />
      )}
      <Choice
        legend={strings.mainNumber}
        options={numbers}
        chosen={draft.number}
        show={formatPhone}
        onChoose={(number) => onChange(chooseNumber(draft, number))}
      />
      <Kept
        legend={strings.otherNumbers}
        options={others}
        kept={draft.otherNumbers}
        show={formatPhone}
        onToggle={(number) =>
          onChange({ ...draft, otherNumbers: toggle(draft.otherNumbers, number) })
        }
      />
      <Kept
        legend={strings.tags}
        options={tags}
        kept={draft.tags}
        onToggle={(tag) => onChange({ ...draft, tags: toggle(draft.tags, tag) })}
      />
      {fields.map(([name, values]) => (
        <Choice
          key={name}
          legend={name}
          options={values}
          chosen={draft.fields[name] ?? null}
          none={strings.leaveOut}
          onChoose={(value) => onChange(chooseField(draft, name, value))}
          onChooseNone={() => onChange(chooseField(draft, name, null))}
        />
      ))}
    </>
  );
}

function Choice(props: {
  legend: string;
  options: readonly string[];
  chosen: string | null;
  show?(option: string): string;
  onChoose(option: string): void;
  /** The label of the option that selects none. */
  none?: string;
  onChooseNone?(): void;
}) {
  const { show = String, none, onChooseNone } = props;
  const name = useId();
  return (
    <Group legend={props.legend}>
      {props.options.map((option) => (
        <Option key={option} label={show(option)}>
          <input
            type="radio"
            name={name}
            className="size-4 shrink-0 accent-(--accent)"
            checked={props.chosen === option}
            onChange={() => props.onChoose(option)}
          />
        </Option>
      ))}
      {none !== undefined && (
        <Option label={none}>
          <input
            type="radio"
            name={name}
            className="size-4 shrink-0 accent-(--accent)"
            checked={props.chosen === null}
            onChange={onChooseNone}
          />
        </Option>
      )}
    </Group>
  );
}

function Kept(props: {
  legend: string;
  options: readonly string[];
  kept: readonly string[];
  show?(option: string): string;
  onToggle(option: string): void;
}) {
  const { show = String } = props;
  if (props.options.length === 0) return null;
  return (
    <Group legend={props.legend}>
      {props.options.map((option) => (
        <Option key={option} label={show(option)}>
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-(--accent)"
            checked={props.kept.includes(option)}
            onChange={() => props.onToggle(option)}
          />
        </Option>
      ))}
    </Group>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend dir="auto" className="mb-1 font-medium text-soft">
        {legend}
      </legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">{children}</div>
    </fieldset>
  );
}

function Option({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="flex min-h-6 min-w-0 items-center gap-2 [overflow-wrap:anywhere]">
      {children}
      <bdi className="tabular-nums">{label}</bdi>
    </label>
  );
}
