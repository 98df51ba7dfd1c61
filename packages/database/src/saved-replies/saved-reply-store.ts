import { isDeepStrictEqual } from 'node:util';
import { QUOTAS, createUuidV7 } from '@switchboard/core';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredSavedReply {
  id: string;
  name: string;
  body: string;
  createdAt: Date;
  updatedAt: Date;
}

type Texts = Pick<StoredSavedReply, 'name' | 'body'>;

/** Texts that members insert into their replies. Their names are unique. */
export interface SavedReplyStore {
  /** Lists saved replies by name. Each word of `search` must be in the name or the text. */
  list(
    workspaceId: string,
    search: string | undefined,
    page: PageRequest,
  ): Promise<Page<StoredSavedReply>>;
  create(
    workspaceId: string,
    reply: Texts,
    at: Date,
  ): Promise<StoredSavedReply | 'exists' | 'quota_exceeded'>;
  /** Keeps the time of the last change if nothing changes. */
  update(
    workspaceId: string,
    id: string,
    change: Partial<Texts>,
    at: Date,
  ): Promise<StoredSavedReply | 'missing' | 'exists'>;
  /** Returns false if there is no such saved reply. */
  remove(workspaceId: string, id: string): Promise<boolean>;
}

const omit = { workspaceId: true } as const;

export function createSavedReplyStore({ prisma }: Pick<Database, 'prisma'>): SavedReplyStore {
  return {
    list(workspaceId, search = '', page) {
      const words = search.split(/\s+/).filter(Boolean);
      const where = {
        workspaceId,
        AND: words.map((contains) => ({
          OR: [
            { name: { contains, mode: 'insensitive' as const } },
            { body: { contains, mode: 'insensitive' as const } },
          ],
        })),
      };
      return listPage(
        page,
        () => prisma.savedReply.count({ where }),
        (range) => prisma.savedReply.findMany({ ...range, where, omit, orderBy: { name: 'asc' } }),
      );
    },

    create(workspaceId, reply, at) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const where = { workspaceId, name: reply.name };
        if ((await tx.savedReply.count({ where })) > 0) return 'exists';
        const present = await tx.savedReply.count({ where: { workspaceId } });
        if (present >= QUOTAS.savedRepliesPerWorkspace) return 'quota_exceeded';
        const own = { id: createUuidV7(at.getTime()), workspaceId, createdAt: at, updatedAt: at };
        return tx.savedReply.create({ data: { ...own, ...reply }, omit });
      });
    },

    update(workspaceId, id, { name, body }, at) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const before = await tx.savedReply.findFirst({ where: { workspaceId, id }, omit });
        if (before === null) return 'missing';
        const texts = { ...(name !== undefined && { name }), ...(body !== undefined && { body }) };
        if (isDeepStrictEqual({ ...before, ...texts }, before)) return before;
        if (name !== undefined) {
          const taken = await tx.savedReply.count({ where: { workspaceId, name, NOT: { id } } });
          if (taken > 0) return 'exists';
        }
        return tx.savedReply.update({ where: { id }, data: { ...texts, updatedAt: at }, omit });
      });
    },

    remove(workspaceId, id) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const { count } = await tx.savedReply.deleteMany({ where: { workspaceId, id } });
        return count > 0;
      });
    },
  };
}
