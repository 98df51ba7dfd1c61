import { foldText } from '@switchboard/core';

export interface ContactDetails {
  number: string;
  /** Other numbers of the same person. */
  otherNumbers: string[];
  /** May be empty. */
  name: string;
  fields: Record<string, string>;
  tags: string[];
}

export interface StoredContact extends ContactDetails {
  id: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns the text that a search reads. Every write of a contact stores it. */
export function toSearchText(contact: ContactDetails): string {
  const { number, otherNumbers, name, fields, tags } = contact;
  return foldText([name, number, ...otherNumbers, ...tags, ...Object.values(fields)].join('\n'));
}

/** The numbers of a contact `k`, whose first number has its own column. */
export const NUMBERS_OF_CONTACT = 'array_prepend(k.number, k.other_numbers)';

/**
 * Returns the condition that a contact `k` has one of the numbers: two lookups, each by an index.
 */
export const hasNumberOf = (numbers: string): string =>
  `(k.number = ANY (${numbers}) OR k.other_numbers && ${numbers})`;
