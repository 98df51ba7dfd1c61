import {
  type MentionRange,
  type Person,
  QUOTAS,
  createUuidV7,
  findMentions,
  liveWorkspaceOf,
  renameMentions,
} from '@switchboard/core';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredNote {
  id: string;
  number: string;
  author: Person | null;
  /** With the current names of mentioned users. */
  body: string;
  mentions: Person[];
  /** Where the body has the names of mentioned users. */
  mentionRanges: MentionRange[];
  createdAt: Date;
  /** Null unless the note was removed. */
  removedAt: Date | null;
  /** Null unless its author has edited it. */
  editedAt: Date | null;
}

export interface EditedNote extends StoredNote {
  /** The ids of users whom the note did not mention before. */
  addedMentions: string[];
}

export interface NewNote {
  number: string;
  authorId: string;
  body: string;
  /** The ids of members. */
  mentions: readonly string[];
  /** The ranges that the author chose. Those of other mentioned members are found by their names. */
  mentionRanges: readonly MentionRange[];
}

/** Notes about conversations, which only members see. */
export interface NoteStore {
  /** Lists the newest notes first. */
  list(workspaceId: string, number: string, page: PageRequest): Promise<Page<StoredNote>>;
  /** Lists the notes that mention a user, newest first. */
  listMentions(workspaceId: string, userId: string, page: PageRequest): Promise<Page<StoredNote>>;
  find(workspaceId: string, id: string): Promise<StoredNote | null>;
  /** Creates a note. `not_member`: a mentioned user is not a member of the workspace. */
  create(
    workspaceId: string,
    note: NewNote,
    at: Date,
  ): Promise<StoredNote | 'not_member' | 'quota_exceeded'>;
  /**
   * Replaces the text and the mentions of a note. `missing`: there is none, or it was removed.
   * `forbidden`: another user wrote it. `not_member`: a newly mentioned user is not a member.
   */
  edit(
    workspaceId: string,
    note: NewNote & { id: string; ip: string },
    at: Date,
  ): Promise<EditedNote | 'missing' | 'forbidden' | 'not_member'>;
  /** Deletes the text of a note. `forbidden`: another user wrote it, and `by` is not an owner. */
  remove(
    workspaceId: string,
    note: { number: string; id: string },
    by: { userId: string; ip: string; isOwner: boolean },
    at: Date,
  ): Promise<StoredNote | 'missing' | 'forbidden'>;
}

const include = { author: { select: { id: true, name: true } } } as const;
const select = { id: true, name: true } as const;

type Row = Omit<StoredNote, 'mentions' | 'mentionRanges'> & {
  mentions: string[];
  mentionRanges: unknown;
};

export function createNoteStore({ prisma }: Pick<Database, 'prisma'>): NoteStore {
  /** Adds the current names of mentioned users. */
  async function withNames(rows: readonly Row[]): Promise<StoredNote[]> {
    const ids = [...new Set(rows.flatMap(({ mentions }) => mentions))];
    const users =
      ids.length === 0 ? [] : await prisma.user.findMany({ where: { id: { in: ids } }, select });
    return rows.map((row) => nameUsers(row, users));
  }

  function listNewest(where: Prisma.NoteWhereInput, page: PageRequest): Promise<Page<StoredNote>> {
    return listPage(
      page,
      () => prisma.note.count({ where }),
      async (range) =>
        withNames(
          await prisma.note.findMany({ ...range, where, include, orderBy: { id: 'desc' } }),
        ),
    );
  }

  return {
    list: (workspaceId, number, page) => listNewest({ workspaceId, number }, page),

    listMentions: (workspaceId, userId, page) =>
      listNewest({ workspaceId, mentions: { has: userId } }, page),

    async find(workspaceId, id) {
      const row = await prisma.note.findFirst({ where: { workspaceId, id }, include });
      return row === null ? null : ((await withNames([row]))[0] ?? null);
    },

    create: (workspaceId, { mentions: given, mentionRanges: chosen, ...note }, at) =>
      prisma.$transaction(async (tx) => {
        const mentions = [...new Set(given)];
        await lockWorkspace(tx, workspaceId);
        const members = await listMembers(tx, workspaceId, mentions);
        if (!includesAll(members, mentions)) return 'not_member';
        const { number, body } = note;
        const present = await tx.note.count({ where: { workspaceId, number } });
        if (present >= QUOTAS.notesPerConversation) return 'quota_exceeded';
        const mentionRanges = findRanges({ body, mentions, chosen }, members);
        const id = createUuidV7(at.getTime());
        const data = { ...note, mentions, mentionRanges, workspaceId, id, createdAt: at };
        return nameUsers(await tx.note.create({ data, include }), members);
      }),

    edit: (workspaceId, { number, id, authorId, ip, body, mentions: given, ...note }, at) =>
      prisma.$transaction(async (tx) => {
        const mentions = [...new Set(given)];
        await lockWorkspace(tx, workspaceId);
        const row = await tx.note.findFirst({ where: { workspaceId, number, id }, include });
        if (row === null || row.removedAt !== null) return 'missing';
        if (row.authorId !== authorId) return 'forbidden';
        // A member who was mentioned before may have left since.
        const known = await tx.user.findMany({ where: { id: { in: row.mentions } }, select });
        const addedMentions = mentions.filter((userId) => !row.mentions.includes(userId));
        const members = await listMembers(tx, workspaceId, [...addedMentions, ...mentions]);
        if (!includesAll(members, addedMentions)) return 'not_member';
        const people = [...members, ...known];
        const found = nameUsers(row, people);
        const chosen = note.mentionRanges;
        const mentionRanges = findRanges({ body, mentions, chosen }, people);
        const change = { body, mentions, mentionRanges };
        const edited = nameUsers({ ...row, ...change, editedAt: at }, people);
        if (isSame(found, edited)) return { ...found, addedMentions };
        // An owner may have removed the note since it was read.
        const where = { workspaceId, id, removedAt: null };
        const { count } = await tx.note.updateMany({ where, data: { ...change, editedAt: at } });
        if (count === 0) return 'missing';
        const by = { kind: 'user', userId: authorId, ip } as const;
        await recordAudit(tx, by, { workspaceId, action: 'note.edited', target: number });
        return { ...edited, addedMentions };
      }),

    remove: (workspaceId, { number, id }, { userId, ip, isOwner }, at) =>
      prisma.$transaction(async (tx) => {
        const [found] = await tx.note.findMany({ where: { workspaceId, number, id }, include });
        if (found === undefined) return 'missing';
        const isAuthor = found.authorId === userId;
        if (!isAuthor && !isOwner) return 'forbidden';
        if (found.removedAt !== null) return nameUsers(found, []);
        const data = { body: '', mentions: [], mentionRanges: [], removedAt: at };
        const where = { workspaceId_id: { workspaceId, id } };
        const removed = await tx.note.update({ where, data, include });
        if (!isAuthor) {
          const action = 'note.removed';
          const detail = { author: found.author?.name ?? null };
          await recordAudit(
            tx,
            { kind: 'user', userId, ip },
            { workspaceId, action, target: number, detail },
          );
        }
        return nameUsers(removed, []);
      }),
  };
}

/** Lists the members of a workspace, if a note mentions any: the others' names are not mentions of them. */
async function listMembers(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  mentions: readonly string[],
): Promise<Person[]> {
  if (mentions.length === 0) return [];
  const members = await tx.member.findMany({
    where: { workspaceId: liveWorkspaceOf(workspaceId) },
    select: { user: { select } },
  });
  return members.map(({ user }) => user);
}

function includesAll(people: readonly Person[], ids: readonly string[]): boolean {
  const known = new Set(people.map(({ id }) => id));
  return ids.every((id) => known.has(id));
}

function findRanges(
  note: { body: string; mentions: readonly string[]; chosen: readonly MentionRange[] },
  people: readonly Person[],
) {
  const { body, mentions, chosen } = note;
  const isMeant = (id: string) => mentions.includes(id);
  return findMentions(body, people, { chosen, isMeant }).map((range) => ({ ...range }));
}

function nameUsers({ body, mentionRanges, ...row }: Row, users: readonly Person[]): StoredNote {
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const mentions = row.mentions.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : { id, name };
  });
  const { text, ranges } = renameMentions(body, mentionRanges as MentionRange[], names);
  return { ...row, body: text, mentions, mentionRanges: ranges };
}

const isSame = (one: StoredNote, other: StoredNote): boolean =>
  one.body === other.body &&
  JSON.stringify([one.mentions, one.mentionRanges]) ===
    JSON.stringify([other.mentions, other.mentionRanges]);
