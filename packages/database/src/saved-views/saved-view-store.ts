import { isDeepStrictEqual } from 'node:util';
import { QUOTAS, createUuidV7 } from '@switchboard/core';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredSavedView {
  id: string;
  name: string;
  /** The parameters of the list of messages, by their names. */
  filters: Record<string, string>;
  createdAt: Date;
  updatedAt: Date;
}

type Content = Pick<StoredSavedView, 'name' | 'filters'>;

/** Filters of messages that the members of a workspace share. Their names are unique. */
export interface SavedViewStore {
  /** Lists saved views by name. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredSavedView>>;
  create(
    workspaceId: string,
    view: Content,
    at: Date,
  ): Promise<StoredSavedView | 'exists' | 'quota_exceeded'>;
  /** Keeps the time of the last change if nothing changes. */
  update(
    workspaceId: string,
    id: string,
    change: Partial<Content>,
    at: Date,
  ): Promise<StoredSavedView | 'missing' | 'exists'>;
  /** Returns false if there is no such saved view. */
  remove(workspaceId: string, id: string): Promise<boolean>;
}

const omit = { workspaceId: true } as const;

export function createSavedViewStore({ prisma }: Pick<Database, 'prisma'>): SavedViewStore {
  return {
    list(workspaceId, page) {
      const where = { workspaceId };
      return listPage(
        page,
        () => prisma.savedView.count({ where }),
        async (range) => {
          const rows = await prisma.savedView.findMany({
            ...range,
            where,
            omit,
            orderBy: { name: 'asc' },
          });
          return rows.map(toStored);
        },
      );
    },

    create(workspaceId, view, at) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const where = { workspaceId, name: view.name };
        if ((await tx.savedView.count({ where })) > 0) return 'exists';
        const present = await tx.savedView.count({ where: { workspaceId } });
        if (present >= QUOTAS.savedViewsPerWorkspace) return 'quota_exceeded';
        const own = { id: createUuidV7(at.getTime()), workspaceId, createdAt: at, updatedAt: at };
        return toStored(await tx.savedView.create({ data: { ...own, ...view }, omit }));
      });
    },

    update(workspaceId, id, change, at) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const row = await tx.savedView.findFirst({ where: { workspaceId, id }, omit });
        if (row === null) return 'missing';
        const before = toStored(row);
        if (isDeepStrictEqual({ ...before, ...change }, before)) return before;
        const { name } = change;
        if (name !== undefined) {
          const taken = await tx.savedView.count({ where: { workspaceId, name, NOT: { id } } });
          if (taken > 0) return 'exists';
        }
        const data = { ...change, updatedAt: at };
        const where = { workspaceId_id: { workspaceId, id } };
        return toStored(await tx.savedView.update({ where, data, omit }));
      });
    },

    remove(workspaceId, id) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const { count } = await tx.savedView.deleteMany({ where: { workspaceId, id } });
        return count > 0;
      });
    },
  };
}

function toStored(row: Omit<StoredSavedView, 'filters'> & { filters: unknown }): StoredSavedView {
  // Only texts are stored.
  return { ...row, filters: row.filters as Record<string, string> };
}
