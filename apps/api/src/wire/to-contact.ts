import type { Contact } from '@switchboard/contracts';
import type { StoredContact } from '@switchboard/database';

/** Converts a stored contact to the contact of the API. */
export function toContact({ id, number, name, fields, tags, ...times }: StoredContact): Contact {
  const { createdAt, updatedAt } = times;
  return {
    id,
    number,
    name,
    fields,
    tags,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
