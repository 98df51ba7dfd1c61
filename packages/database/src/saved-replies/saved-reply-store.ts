import { isDeepStrictEqual } from 'node:util';
import { QUOTAS, createUuidV7 } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
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

/** Texts that members insert into their replies. Their names are unique. Changes are audited. */
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
    by: Actor,
  ): Promise<StoredSavedReply | 'exists' | 'quota_exceeded'>;
  /** Keeps the time of the last change if nothing changes. */
  update(
    workspaceId: string,
    id: string,
    change: Partial<Texts>,
    at: Date,
    by: Actor,
  ): Promise<StoredSavedReply | 'missing' | 'exists'>;
  /** Returns false if there is no such saved reply. */
  remove(workspaceId: string, id: string, by: Actor): Promise<boolean>;
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

    create(workspaceId, reply, at, by) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const where = { workspaceId, name: reply.name };
        if ((await tx.savedReply.count({ where })) > 0) return 'exists';
        const present = await tx.savedReply.count({ where: { workspaceId } });
        if (present >= QUOTAS.savedRepliesPerWorkspace) return 'quota_exceeded';
        const own = { id: createUuidV7(at.getTime()), workspaceId, createdAt: at, updatedAt: at };
        const created = await tx.savedReply.create({ data: { ...own, ...reply }, omit });
        await record(tx, by, 'saved_reply.added', { workspaceId, ...created });
        return created;
      });
    },

    update(workspaceId, id, { name, body }, at, by) {
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
        const data = { ...texts, updatedAt: at };
        const where = { workspaceId_id: { workspaceId, id } };
        const changed = await tx.savedReply.update({ where, data, omit });
        await record(tx, by, 'saved_reply.changed', { workspaceId, ...changed });
        return changed;
      });
    },

    remove(workspaceId, id, by) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const reply = await tx.savedReply.findFirst({ where: { workspaceId, id }, omit });
        if (reply === null) return false;
        await tx.savedReply.delete({ where: { workspaceId_id: { workspaceId, id } } });
        await record(tx, by, 'saved_reply.removed', { workspaceId, ...reply });
        return true;
      });
    },
  };
}

/** Records the texts too: every member sends them, and only the audit trail keeps those of the past. */
function record(
  tx: Parameters<typeof recordAudit>[0],
  by: Actor,
  action: 'saved_reply.added' | 'saved_reply.changed' | 'saved_reply.removed',
  { workspaceId, id, name, body }: StoredSavedReply & { workspaceId: string },
): Promise<void> {
  return recordAudit(tx, by, { workspaceId, action, target: id, detail: { name, body } });
}
