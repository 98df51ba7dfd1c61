import { QUOTAS } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { FORGET, REMOVE, TAKE_UNUSED, USE } from './media-file-statements.ts';

/** An uploaded file, which is in the storage. */
export interface StoredMediaFile {
  id: string;
  workspaceId: string;
  name: string;
  contentType: string;
  /** In bytes. */
  size: number;
  createdAt: Date;
}

/** A file that was uploaded in part or that no message uses, which must be removed from the storage. */
export type UnusedMediaFile = Pick<StoredMediaFile, 'id' | 'workspaceId'>;

export type UsedFile = Pick<StoredMediaFile, 'id' | 'contentType' | 'size'>;

export interface MediaUse {
  messageId: string;
  /** Different files. */
  ids: readonly string[];
}

export interface MediaFileStore {
  /**
   * Reserves a place for a file of at most `size` bytes before it is uploaded. If it is not stored
   * within an hour, it is removed.
   */
  reserve(
    file: Omit<StoredMediaFile, 'contentType'>,
    maxBytes: number,
  ): Promise<'reserved' | 'too_many_files' | 'too_many_bytes'>;
  /** Records that the file is in the storage. Returns null if the upload took too long. */
  markStored(
    file: UnusedMediaFile,
    content: Pick<StoredMediaFile, 'contentType' | 'size'>,
    at: Date,
  ): Promise<StoredMediaFile | null>;
  find(workspaceId: string, id: string): Promise<StoredMediaFile | null>;
  /** Finds a file of any workspace, for links, whose signature is the credential. */
  findAnywhere(id: string): Promise<StoredMediaFile | null>;
  /**
   * Records that messages, which will be stored in less than a day, use files. Returns the files
   * that belong to the workspace.
   */
  use(workspaceId: string, uses: readonly MediaUse[]): Promise<UsedFile[]>;
  /** Discards a file, which a worker then removes. `used`: a message uses it. */
  remove(workspaceId: string, id: string): Promise<'removed' | 'missing' | 'used'>;
  /**
   * Finds out which of the files that are due for a check no message uses, and discards them.
   * Returns files that were discarded, including earlier ones whose removal did not succeed.
   */
  takeUnused(limit: number): Promise<{ checked: number; unused: UnusedMediaFile[] }>;
  /** Deletes the rows of files that have been removed from the storage. */
  forget(files: readonly UnusedMediaFile[]): Promise<void>;
}

const UPLOAD_MS = 3_600_000;
const DAY_MS = 86_400_000;

const select = {
  id: true,
  workspaceId: true,
  name: true,
  contentType: true,
  size: true,
  createdAt: true,
} as const;

const isPresent = { storedAt: { not: null }, deletedAt: null } as const;

export function createMediaFileStore({
  prisma,
  pool,
}: Pick<Database, 'prisma' | 'pool'>): MediaFileStore {
  return {
    reserve(file, maxBytes) {
      return prisma.$transaction(async (tx) => {
        const { workspaceId, createdAt } = file;
        await lockWorkspace(tx, workspaceId);
        const present = await tx.mediaFile.aggregate({
          where: { workspaceId },
          _count: { id: true },
          _sum: { size: true },
        });
        if (present._count.id >= QUOTAS.mediaFilesPerWorkspace) return 'too_many_files';
        if ((present._sum.size ?? 0) + file.size > maxBytes) return 'too_many_bytes';
        const checkAt = new Date(createdAt.getTime() + UPLOAD_MS);
        await tx.mediaFile.create({ data: { ...file, checkAt } });
        return 'reserved';
      });
    },

    async markStored({ id, workspaceId }, { contentType, size }, at) {
      const [row] = await prisma.mediaFile.updateManyAndReturn({
        where: { id, workspaceId, storedAt: null, deletedAt: null },
        data: { contentType, size, storedAt: at, checkAt: new Date(at.getTime() + DAY_MS) },
        select,
      });
      return row ?? null;
    },

    find(workspaceId, id) {
      return prisma.mediaFile.findFirst({ where: { id, workspaceId, ...isPresent }, select });
    },

    findAnywhere(id) {
      return prisma.mediaFile.findFirst({ where: { id, ...isPresent }, select });
    },

    async use(workspaceId, uses) {
      const pairs = uses.flatMap(({ messageId, ids }) => ids.map((id) => ({ messageId, id })));
      const run = (some: typeof pairs) =>
        runStatement<UsedFile>(pool, USE, [
          workspaceId,
          some.map(({ messageId }) => messageId),
          some.map(({ id }) => id),
        ]);
      const used = await run(pairs);
      const found = new Set(used.map(({ id }) => id));
      const others = pairs.filter(({ id }) => !found.has(id));
      return others.length === 0 ? used : [...used, ...(await run(others))];
    },

    async remove(workspaceId, id) {
      const [row] = await runStatement<{ removed: boolean }>(pool, REMOVE, [workspaceId, id]);
      if (row === undefined) return 'missing';
      return row.removed ? 'removed' : 'used';
    },

    async takeUnused(limit) {
      const rows = await runStatement<UnusedMediaFile & { unused: boolean }>(pool, TAKE_UNUSED, [
        limit,
      ]);
      const unused = rows.filter((row) => row.unused);
      return {
        checked: rows.length,
        unused: unused.map(({ id, workspaceId }) => ({ id, workspaceId })),
      };
    },

    async forget(files) {
      await runStatement(pool, FORGET, [
        files.map(({ workspaceId }) => workspaceId),
        files.map(({ id }) => id),
      ]);
    },
  };
}
