import type { Contact } from '@switchboard/contracts';
import { numbersOf } from '../contact-directory.ts';

/** The values of the merged contact. */
export interface MergeDraft {
  number: string;
  otherNumbers: readonly string[];
  name: string;
  tags: readonly string[];
  fields: Readonly<Record<string, string>>;
}

/** The options: each number, name, tag and value of the two contacts, once. */
export interface MergeOptions {
  numbers: string[];
  names: string[];
  tags: string[];
  fields: [name: string, values: string[]][];
}

export function listOptions(contact: Contact, other: Contact): MergeOptions {
  const both = [contact, other];
  const fieldNames = unique(both.flatMap(({ fields }) => Object.keys(fields)));
  return {
    numbers: unique(both.flatMap(numbersOf)),
    names: unique(both.map(({ name }) => name)).filter((name) => name !== ''),
    tags: unique(both.flatMap(({ tags }) => tags)),
    fields: fieldNames
      .sort((a, b) => a.localeCompare(b))
      .map((name) => [name, unique(both.flatMap(({ fields }) => fields[name] ?? []))]),
  };
}

/**
 * Initially selects everything from both contacts. Where they differ, the value of `contact` is
 * selected.
 */
export function startDraft(contact: Contact, other: Contact): MergeDraft {
  const { numbers, names, tags } = listOptions(contact, other);
  const { number } = contact;
  return {
    number,
    otherNumbers: numbers.filter((each) => each !== number),
    name: names[0] ?? '',
    tags,
    fields: { ...other.fields, ...contact.fields },
  };
}

/** Makes a number the main number. The previous main number becomes one of the others. */
export function chooseNumber(draft: MergeDraft, number: string): MergeDraft {
  const others = [draft.number, ...draft.otherNumbers].filter((each) => each !== number);
  return { ...draft, number, otherNumbers: others };
}

/** Selects the value of a field; null omits the field. */
export function chooseField(draft: MergeDraft, name: string, value: string | null): MergeDraft {
  const { [name]: _before, ...others } = draft.fields;
  return { ...draft, fields: value === null ? others : { ...others, [name]: value } };
}

/** Adds an element to a list, or removes it. */
export const toggle = (list: readonly string[], value: string): string[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value];

const unique = (values: readonly string[]): string[] => [...new Set(values)];
