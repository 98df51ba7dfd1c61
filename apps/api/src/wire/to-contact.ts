import type { Contact } from '@switchboard/contracts';
import type { StoredContact } from '@switchboard/database';

/** Converts a stored contact to the contact of the API. */
export function toContact({ id, number, name, fields, tags, ...more }: StoredContact): Contact {
  const { otherNumbers, createdAt, updatedAt } = more;
  return {
    id,
    number,
    other_numbers: otherNumbers,
    name,
    fields,
    tags,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
