import { type ContactExcess, QUOTAS, createUuidV7, findContactExcess } from '@switchboard/core';
import type { Prisma } from '../generated/client.ts';
import { findOwners } from './find-owners.ts';
import { type ContactDetails, toSearchText } from './stored-contact.ts';

/** A contact of an import. If the contact exists, an absent part is left unchanged. */
export type ImportedContact = Pick<ContactDetails, 'number'> & Partial<ContactDetails>;

export interface ImportOptions {
  /** What happens to a contact that already exists. */
  existing: 'keep' | 'update';
  at: Date;
}

/** `number_exists`: another contact has one of the numbers. */
export type ImportRefusal = ContactExcess | 'number_exists';

export type ImportResult =
  | { kind: 'created' | 'updated' | 'kept' }
  | { kind: 'refused'; reason: ImportRefusal };

type Details = ContactDetails & { id: string };

/**
 * Stores all contacts that are not refused, within a transaction that has locked the workspace. Returns
 * a result for each contact, in the order of the import. Each first number must occur only once.
 */
export async function importContacts(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  contacts: readonly ImportedContact[],
  { existing, at }: ImportOptions,
): Promise<ImportResult[] | 'quota_exceeded'> {
  const numbers = contacts.flatMap(({ number, otherNumbers = [] }) => [number, ...otherNumbers]);
  const present = (await findOwners(tx, workspaceId, numbers)) as Details[];
  const plan = planImport(present, contacts, existing, at);
  if (plan.created.size > 0) {
    const count = await tx.contact.count({ where: { workspaceId } });
    if (count + plan.created.size > QUOTAS.contactsPerWorkspace) return 'quota_exceeded';
  }
  await tx.contact.createMany({
    data: [...plan.created.values()].map((contact) => ({
      ...contact,
      workspaceId,
      createdAt: at,
      updatedAt: at,
      searchText: toSearchText(contact),
    })),
  });
  if (plan.updated.size > 0) await updateAll(tx, workspaceId, [...plan.updated.values()], at);
  return plan.results;
}

/**
 * Decides contact by contact, because two contacts of an import may concern the same stored
 * contact.
 */
function planImport(
  present: readonly Details[],
  contacts: readonly ImportedContact[],
  existing: ImportOptions['existing'],
  at: Date,
) {
  const owners = new Map<string, Details>();
  const own = (details: Details): void => {
    for (const number of [details.number, ...details.otherNumbers]) owners.set(number, details);
  };
  for (const details of present) own(details);
  const created = new Map<string, Details>();
  const updated = new Map<string, Details>();

  const importOne = (contact: ImportedContact): ImportResult => {
    const before = owners.get(contact.number);
    if (before !== undefined && existing === 'keep') return { kind: 'kept' };
    const base = before ?? {
      id: createUuidV7(at.getTime()),
      number: contact.number,
      otherNumbers: [],
      name: '',
      fields: {},
      tags: [],
    };
    const details = addDetails(base, contact);
    const isTaken = details.otherNumbers.some((number) => {
      const owner = owners.get(number);
      return owner !== undefined && owner.id !== base.id;
    });
    if (isTaken) return { kind: 'refused', reason: 'number_exists' };
    const excess = findContactExcess(details);
    if (excess !== null) return { kind: 'refused', reason: excess };
    own(details);
    const isNew = before === undefined || created.has(before.id);
    (isNew ? created : updated).set(details.id, details);
    return { kind: before === undefined ? 'created' : 'updated' };
  };
  return { results: contacts.map(importOne), created, updated };
}

function addDetails(before: Details, given: ImportedContact): Details {
  const { id, number } = before;
  const numbers = new Set([...before.otherNumbers, ...(given.otherNumbers ?? [])]);
  return {
    id,
    number,
    otherNumbers: [...numbers].filter((each) => each !== number),
    name: given.name || before.name,
    fields: { ...before.fields, ...given.fields },
    tags: [...new Set([...before.tags, ...(given.tags ?? [])])],
  };
}

async function updateAll(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  contacts: readonly Details[],
  at: Date,
): Promise<void> {
  const rows = contacts.map(({ otherNumbers, ...contact }) => ({
    ...contact,
    other_numbers: otherNumbers,
    search_text: toSearchText({ ...contact, otherNumbers }),
  }));
  await tx.$executeRaw`
    UPDATE contacts c SET name = r.name, fields = r.fields, tags = r.tags,
      other_numbers = r.other_numbers, search_text = r.search_text, updated_at = ${at}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r(id uuid, name text, fields jsonb, tags text[], other_numbers text[], search_text text)
    WHERE c.workspace_id = ${workspaceId}::uuid AND c.id = r.id`;
}
