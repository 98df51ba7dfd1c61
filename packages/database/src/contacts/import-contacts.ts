import { QUOTAS, createUuidV7 } from '@switchboard/core';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { type ContactDetails, toSearchText } from './stored-contact.ts';

/** A contact of an import. A part that is absent stays as it is if the contact exists. */
export type ImportedContact = Pick<ContactDetails, 'number'> & Partial<ContactDetails>;

export interface ImportOptions {
  /** What happens to a contact that exists. */
  existing: 'keep' | 'update';
  /** Only returns what the import would do. */
  isDryRun: boolean;
  at: Date;
}

/** `created`, `updated` or `kept` for each contact, in the order of the import. */
export type ImportResults = ('created' | 'updated' | 'kept')[];

/** Stores all contacts in one transaction. Each number must occur only once. */
export function importContacts(
  prisma: Database['prisma'],
  workspaceId: string,
  contacts: readonly ImportedContact[],
  { existing, isDryRun, at }: ImportOptions,
): Promise<ImportResults | 'quota_exceeded'> {
  return prisma.$transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const found = await findPresent(tx, workspaceId, contacts);
    const results = contacts.map(({ number }) =>
      !found.has(number) ? 'created' : existing === 'update' ? 'updated' : 'kept',
    );
    const created = contacts.filter((_, index) => results[index] === 'created');
    if (created.length > 0) {
      const present = await tx.contact.count({ where: { workspaceId } });
      if (present + created.length > QUOTAS.contactsPerWorkspace) return 'quota_exceeded';
    }
    if (isDryRun) return results;
    await tx.contact.createMany({
      data: created.map((contact) => {
        const details = { ...EMPTY, ...contact };
        const own = { id: createUuidV7(at.getTime()), workspaceId, createdAt: at, updatedAt: at };
        return { ...own, ...details, searchText: toSearchText(details) };
      }),
    });
    const updated = contacts.flatMap((contact, index) => {
      const present = found.get(contact.number);
      if (results[index] !== 'updated' || present === undefined) return [];
      const details = addDetails(present, contact);
      return [{ ...details, search_text: toSearchText(details) }];
    });
    if (updated.length > 0) await updateAll(tx, workspaceId, updated, at);
    return results;
  });
}

const EMPTY = { name: '', fields: {}, tags: [] };

async function findPresent(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  contacts: readonly ImportedContact[],
): Promise<Map<string, ContactDetails>> {
  const rows = await tx.contact.findMany({
    where: { workspaceId, number: { in: contacts.map(({ number }) => number) } },
    select: { number: true, name: true, fields: true, tags: true },
  });
  return new Map(rows.map((row) => [row.number, row as ContactDetails]));
}

function addDetails(present: ContactDetails, given: ImportedContact): ContactDetails {
  return {
    number: present.number,
    name: given.name || present.name,
    fields: { ...present.fields, ...given.fields },
    tags: [...new Set([...present.tags, ...(given.tags ?? [])])],
  };
}

async function updateAll(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  contacts: readonly (ContactDetails & { search_text: string })[],
  at: Date,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE contacts c SET name = r.name, fields = r.fields, tags = r.tags,
      search_text = r.search_text, updated_at = ${at}
    FROM jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb)
      AS r(number text, name text, fields jsonb, tags text[], search_text text)
    WHERE c.workspace_id = ${workspaceId}::uuid AND c.number = r.number`;
}
