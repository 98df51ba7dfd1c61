/** The limits of one contact, in UTF-16 code units. */
export const CONTACT_LIMITS = {
  nameCharacters: 100,
  /** Besides its first number. */
  otherNumbers: 9,
  tags: 20,
  tagCharacters: 50,
  fields: 20,
  fieldNameCharacters: 50,
  fieldCharacters: 500,
} as const;

export type ContactExcess = 'too_many_numbers' | 'too_many_tags' | 'too_many_fields';

/** Returns the first limit that a merged contact exceeds, or null. */
export function findContactExcess(contact: {
  otherNumbers: readonly string[];
  tags: readonly string[];
  fields: Readonly<Record<string, string>>;
}): ContactExcess | null {
  const { otherNumbers, tags, fields } = contact;
  if (otherNumbers.length > CONTACT_LIMITS.otherNumbers) return 'too_many_numbers';
  if (tags.length > CONTACT_LIMITS.tags) return 'too_many_tags';
  return Object.keys(fields).length > CONTACT_LIMITS.fields ? 'too_many_fields' : null;
}
