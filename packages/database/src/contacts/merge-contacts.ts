import { type ContactExcess, findContactExcess } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Prisma } from '../generated/client.ts';
import { type ContactDetails, type StoredContact, toSearchText } from './stored-contact.ts';

export interface Merge {
  id: string;
  /** The contact that is deleted. */
  otherId: string;
  /** The new values of the contact. Absent ones are combined from both contacts. */
  decided: Partial<ContactDetails>;
  by: Actor;
  at: Date;
}

/**
 * `missing`: there is no such contact. `other_missing`: the other contact does not exist.
 * `not_theirs`: the two contacts do not have the given numbers.
 */
export type MergeRefusal = 'missing' | 'other_missing' | 'not_theirs' | ContactExcess;

/** Merges two contacts, within a transaction that has locked the workspace. */
export async function mergeContacts(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  { id, otherId, decided, by, at }: Merge,
): Promise<StoredContact | MergeRefusal> {
  const omit = { workspaceId: true, searchText: true } as const;
  const where = { workspaceId, id: { in: [id, otherId] } };
  const found = (await tx.contact.findMany({ where, omit })) as StoredContact[];
  const contact = found.find((each) => each.id === id);
  const other = found.find((each) => each.id === otherId && each.id !== id);
  if (contact === undefined) return 'missing';
  if (other === undefined) return 'other_missing';

  const merged = joinContacts(contact, other, decided);
  const theirs = [contact, other].flatMap(numbersOf);
  if (!numbersOf(merged).every((number) => theirs.includes(number))) return 'not_theirs';
  const excess = findContactExcess(merged);
  if (excess !== null) return excess;

  // The deletion comes first, because no two contacts may have the same number.
  await tx.contact.delete({ where: { workspaceId_id: { workspaceId, id: otherId } } });
  const data = { ...merged, searchText: toSearchText(merged), updatedAt: at };
  const row = await tx.contact.update({
    where: { workspaceId_id: { workspaceId, id } },
    data,
    omit,
  });
  const [mergedNumber] = numbersOf(other);
  await recordAudit(tx, by, {
    workspaceId,
    action: 'contact.merged',
    target: id,
    detail: { number: contact.number, merged_number: mergedNumber },
  });
  return row as StoredContact;
}

function joinContacts(
  contact: ContactDetails,
  other: ContactDetails,
  decided: Partial<ContactDetails>,
): ContactDetails {
  const { number = contact.number } = decided;
  const joined = {
    otherNumbers: [...new Set([contact, other].flatMap(numbersOf))],
    name: contact.name || other.name,
    fields: { ...other.fields, ...contact.fields },
    tags: [...new Set([...contact.tags, ...other.tags])],
    ...decided,
  };
  return {
    ...joined,
    number,
    otherNumbers: joined.otherNumbers.filter((each) => each !== number),
  };
}

const numbersOf = ({ number, otherNumbers }: ContactDetails): string[] => [number, ...otherNumbers];
