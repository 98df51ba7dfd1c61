import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';

export interface StoredOptOut {
  number: string;
  reason: string;
  createdAt: Date;
}

/** Recipients that a workspace must not send to. */
export interface OptOutStore {
  /** Newest first. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredOptOut>>;
  /** Null when the number is there already; the earlier reason stays. */
  add(workspaceId: string, optOut: StoredOptOut): Promise<StoredOptOut | null>;
  /** False when there is no such opt-out. */
  remove(workspaceId: string, number: string): Promise<boolean>;
}

const SHOWN = { number: true, reason: true, createdAt: true } as const;

export function createOptOutStore({ prisma }: Pick<Database, 'prisma'>): OptOutStore {
  return {
    list(workspaceId, page) {
      const where = { workspaceId };
      return listPage(
        page,
        () => prisma.optOut.count({ where }),
        (range) =>
          prisma.optOut.findMany({
            ...range,
            where,
            select: SHOWN,
            orderBy: [{ createdAt: 'desc' }, { number: 'asc' }],
          }),
      );
    },
    async add(workspaceId, optOut) {
      const [added] = await prisma.optOut.createManyAndReturn({
        data: [{ ...optOut, workspaceId }],
        skipDuplicates: true,
        select: SHOWN,
      });
      return added ?? null;
    },
    async remove(workspaceId, number) {
      return (await prisma.optOut.deleteMany({ where: { workspaceId, number } })).count === 1;
    },
  };
}
