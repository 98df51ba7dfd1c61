import { isDeepStrictEqual } from 'node:util';
import { QUOTAS, createUuidV7 } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { type FieldNamesExceeded, changeContacts } from './change-contacts.ts';
import { createFindCollation } from './find-collation.ts';
import { type NumberTaken, findTaken } from './find-owners.ts';
import {
  type ImportOptions,
  type ImportResult,
  type ImportedContact,
  importContacts,
} from './import-contacts.ts';
import {
  type ContactFilter,
  type ContactPage,
  type ContactPageRequest,
  listContacts,
} from './list-contacts.ts';
import { type Merge, type MergeRefusal, mergeContacts } from './merge-contacts.ts';
import { type ContactDetails, type StoredContact, toSearchText } from './stored-contact.ts';

/** The contacts of a workspace. Each number outside the workspace has at most one. */
export interface ContactStore {
  /** Lists contacts by name, those without a name last. */
  list(workspaceId: string, filter: ContactFilter, page: ContactPageRequest): Promise<ContactPage>;
  /** Returns the names of all fields that any contact has, in alphabetical order. */
  listFieldNames(workspaceId: string): Promise<string[]>;
  find(workspaceId: string, id: string): Promise<StoredContact | null>;
  /**
   * Creates a contact. `number_exists` and `other_number_exists`: another contact has one of the
   * numbers.
   */
  create(
    workspaceId: string,
    contact: ContactDetails,
    at: Date,
  ): Promise<StoredContact | NumberTaken | FieldNamesExceeded | 'quota_exceeded'>;
  /**
   * Changes the given parts. `fields` and `tags` replace the stored ones. Keeps the time of the
   * last change if nothing changes.
   */
  update(
    workspaceId: string,
    id: string,
    change: Partial<ContactDetails>,
    at: Date,
  ): Promise<StoredContact | NumberTaken | FieldNamesExceeded | 'missing'>;
  /** Merges two contacts, and records it in the audit trail. */
  merge(
    workspaceId: string,
    merge: Merge,
  ): Promise<StoredContact | MergeRefusal | FieldNamesExceeded>;
  /** Returns false if there is no such contact. */
  remove(workspaceId: string, id: string): Promise<boolean>;
  /** Stores all contacts that are not refused, or none. */
  import(
    workspaceId: string,
    contacts: readonly ImportedContact[],
    /** `isDryRun`: only returns what the import would do. */
    options: ImportOptions & { isDryRun: boolean },
  ): Promise<ImportResult[] | FieldNamesExceeded | 'quota_exceeded'>;
}

const omit = { workspaceId: true, searchText: true } as const;

export function createContactStore({ prisma, pool }: Database): ContactStore {
  const findCollation = createFindCollation(pool);
  return {
    list: (workspaceId, filter, page) =>
      listContacts(pool, findCollation, workspaceId, filter, page),

    async listFieldNames(workspaceId) {
      const rows = await runStatement<{ name: string }>(
        pool,
        'SELECT name FROM contact_field_names WHERE workspace_id = $1::uuid ORDER BY 1',
        [workspaceId],
      );
      return rows.map(({ name }) => name);
    },

    async find(workspaceId, id) {
      return toContact(await prisma.contact.findFirst({ where: { workspaceId, id }, omit }));
    },

    create(workspaceId, contact, at) {
      return changeContacts(prisma, workspaceId, async (tx) => {
        const taken = await findTaken(tx, workspaceId, contact);
        if (taken !== null) return taken;
        const present = await tx.contact.count({ where: { workspaceId } });
        if (present >= QUOTAS.contactsPerWorkspace) return 'quota_exceeded';
        const own = { id: createUuidV7(at.getTime()), workspaceId, createdAt: at, updatedAt: at };
        const otherNumbers = contact.otherNumbers.filter((each) => each !== contact.number);
        const data = { ...own, ...contact, otherNumbers, searchText: toSearchText(contact) };
        return toContact(await tx.contact.create({ data, omit }));
      });
    },

    update(workspaceId, id, change, at) {
      return changeContacts(prisma, workspaceId, async (tx) => {
        const before = toContact(await tx.contact.findFirst({ where: { workspaceId, id }, omit }));
        if (before === null) return 'missing';
        const merged = { ...before, ...change };
        const { number, name, fields, tags } = merged;
        const otherNumbers = merged.otherNumbers.filter((each) => each !== number);
        const after = { ...merged, otherNumbers };
        if (isDeepStrictEqual(after, before)) return before;
        const taken = await findTaken(tx, workspaceId, { number, otherNumbers }, id);
        if (taken !== null) return taken;
        return toContact(
          await tx.contact.update({
            where: { workspaceId_id: { workspaceId, id } },
            data: {
              number,
              otherNumbers,
              name,
              fields,
              tags,
              searchText: toSearchText(after),
              updatedAt: at,
            },
            omit,
          }),
        );
      });
    },

    remove(workspaceId, id) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const { count } = await tx.contact.deleteMany({ where: { workspaceId, id } });
        return count > 0;
      });
    },

    merge: (workspaceId, merge) =>
      changeContacts(prisma, workspaceId, (tx) => mergeContacts(tx, workspaceId, merge)),

    import: (workspaceId, contacts, { isDryRun, ...options }) =>
      changeContacts(
        prisma,
        workspaceId,
        (tx) => importContacts(tx, workspaceId, contacts, options),
        { isDryRun },
      ),
  };
}

type Row = Omit<StoredContact, 'fields'> & { fields: unknown };

/** Only this store writes the fields, so they are texts. */
function toContact<Found extends Row | null>(
  row: Found,
): Found extends null ? StoredContact | null : StoredContact {
  return row as never;
}
