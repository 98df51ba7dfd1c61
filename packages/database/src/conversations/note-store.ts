import { QUOTAS, createUuidV7 } from '@switchboard/core';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredNote {
  id: string;
  number: string;
  author: Person | null;
  body: string;
  mentions: Person[];
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

interface Person {
  id: string;
  name: string;
}

export interface NewNote {
  number: string;
  authorId: string;
  body: string;
  /** The ids of members. */
  mentions: readonly string[];
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
    note: NewNote & { id: string },
    at: Date,
  ): Promise<EditedNote | 'missing' | 'forbidden' | 'not_member'>;
  /** Deletes the text of a note. `forbidden`: another user wrote it, and `by` is not an owner. */
  remove(
    workspaceId: string,
    note: { number: string; id: string },
    by: { userId: string; isOwner: boolean },
    at: Date,
  ): Promise<StoredNote | 'missing' | 'forbidden'>;
}

const include = { author: { select: { id: true, name: true } } } as const;

type Row = Omit<StoredNote, 'mentions'> & { mentions: string[] };

export function createNoteStore({ prisma }: Pick<Database, 'prisma'>): NoteStore {
  /** Adds the current names of mentioned users. */
  async function withNames(rows: readonly Row[]): Promise<StoredNote[]> {
    const ids = [...new Set(rows.flatMap(({ mentions }) => mentions))];
    const select = { id: true, name: true };
    const users =
      ids.length === 0 ? [] : await prisma.user.findMany({ where: { id: { in: ids } }, select });
    const names = new Map(users.map((user) => [user.id, user]));
    return rows.map((row) => ({
      ...row,
      mentions: row.mentions.flatMap((id) => names.get(id) ?? []),
    }));
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

    async create(workspaceId, { mentions: given, ...note }, at) {
      const mentions = [...new Set(given)];
      const id = createUuidV7(at.getTime());
      const result = await prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const members = { workspaceId, userId: { in: mentions } };
        if ((await tx.member.count({ where: members })) < mentions.length) return 'not_member';
        const { number } = note;
        const present = await tx.note.count({ where: { workspaceId, number } });
        if (present >= QUOTAS.notesPerConversation) return 'quota_exceeded';
        return tx.note.create({
          data: { ...note, mentions, workspaceId, id, createdAt: at },
          include,
        });
      });
      if (typeof result === 'string') return result;
      const [created] = await withNames([result]);
      return created ?? { ...result, mentions: [] };
    },

    async edit(workspaceId, { number, id, authorId, body, mentions: given }, at) {
      const mentions = [...new Set(given)];
      const result = await prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const found = await tx.note.findFirst({ where: { workspaceId, number, id }, include });
        if (found === null || found.removedAt !== null) return 'missing';
        if (found.authorId !== authorId) return 'forbidden';
        // A member who was mentioned before may have left since.
        const added = mentions.filter((userId) => !found.mentions.includes(userId));
        const members = { workspaceId, userId: { in: added } };
        if ((await tx.member.count({ where: members })) < added.length) return 'not_member';
        const isSame = found.body === body && found.mentions.join() === mentions.join();
        if (isSame) return { row: found, addedMentions: [] };
        // An owner may have removed the note since it was read.
        const where = { id, removedAt: null };
        const { count } = await tx.note.updateMany({
          where,
          data: { body, mentions, editedAt: at },
        });
        if (count === 0) return 'missing';
        const by = { kind: 'user', userId: authorId } as const;
        await recordAudit(tx, by, { workspaceId, action: 'note.edited', target: number });
        return { row: { ...found, body, mentions, editedAt: at }, addedMentions: added };
      });
      if (typeof result === 'string') return result;
      const { row, addedMentions } = result;
      const [edited] = await withNames([row]);
      return { ...(edited ?? { ...row, mentions: [] }), addedMentions };
    },

    remove: (workspaceId, { number, id }, { userId, isOwner }, at) =>
      prisma.$transaction(async (tx) => {
        const [found] = await tx.note.findMany({ where: { workspaceId, number, id }, include });
        if (found === undefined) return 'missing';
        const isAuthor = found.authorId === userId;
        if (!isAuthor && !isOwner) return 'forbidden';
        if (found.removedAt !== null) return { ...found, mentions: [] };
        const data = { body: '', mentions: [], removedAt: at };
        const removed = await tx.note.update({ where: { id }, data, include });
        if (!isAuthor) {
          const action = 'note.removed';
          const detail = { author: found.author?.name ?? null };
          await recordAudit(
            tx,
            { kind: 'user', userId },
            { workspaceId, action, target: number, detail },
          );
        }
        return { ...removed, mentions: [] };
      }),
  };
}
