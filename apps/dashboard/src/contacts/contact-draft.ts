import type { Contact } from '@switchboard/contracts';

/** The values of the contact form. */
export interface ContactDraft {
  number: string;
  otherNumbers: readonly DraftNumber[];
  name: string;
  /** Separated by commas. */
  tags: string;
  fields: readonly (readonly [name: string, value: string])[];
}

/** A number in the form. The key stays with its input when an earlier one is removed. */
export interface DraftNumber {
  key: string;
  number: string;
}

export function toDraft(contact: Partial<Contact>): ContactDraft {
  const { number = '', other_numbers = [], name = '', tags = [], fields = {} } = contact;
  const otherNumbers = other_numbers.map((each) => ({ key: each, number: each }));
  return { number, otherNumbers, name, tags: tags.join(', '), fields: listFields(fields) };
}

/** Returns the fields in the order of their names. */
export function listFields(fields: Contact['fields']): [name: string, value: string][] {
  return Object.entries(fields).sort(([a], [b]) => a.localeCompare(b));
}

/** Returns the body of a request. Fields without a name and a value are dropped. */
export function toRequest({ number, otherNumbers, name, tags, fields }: ContactDraft) {
  return {
    number,
    other_numbers: otherNumbers.map((each) => each.number),
    name: name.trim(),
    tags: splitTags(tags),
    fields: Object.fromEntries(
      fields
        .map(([field, value]) => [field.trim(), value.trim()] as const)
        .filter(([field, value]) => field !== '' || value !== ''),
    ),
  };
}

/** Returns whether saving the draft would change the contact. */
export function isChanged(draft: ContactDraft, contact: Partial<Contact>): boolean {
  const [edited, stored] = [draft, toDraft(contact)].map(toRequest).map((each) => ({
    ...each,
    fields: listFields(each.fields),
  }));
  return JSON.stringify(edited) !== JSON.stringify(stored);
}

export function splitTags(text: string): string[] {
  const tags = text.split(/[,;]/).map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
