export interface ContactDetails {
  number: string;
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
export function toSearchText({ number, name, fields, tags }: ContactDetails): string {
  return [name, number, ...tags, ...Object.values(fields)].join('\n').toLowerCase();
}
