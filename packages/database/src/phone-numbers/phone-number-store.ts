import type { Database } from '../database.ts';

export interface StoredPhoneNumber {
  id: string;
  number: string;
  label: string;
  isDefault: boolean;
  capabilities: string[];
  createdAt: Date;
}

/** The numbers a workspace sends from. */
export interface PhoneNumberStore {
  /** The first number of a workspace becomes its default. Null when it is there already. */
  create(
    workspaceId: string,
    number: Omit<StoredPhoneNumber, 'isDefault'>,
  ): Promise<StoredPhoneNumber | null>;
}

export function createPhoneNumberStore({ prisma }: Pick<Database, 'prisma'>): PhoneNumberStore {
  return {
    create(workspaceId, number) {
      return prisma.$transaction(async (tx) => {
        // One change of a workspace's numbers at a time: there is one default, always.
        await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid FOR UPDATE`;
        const isDefault = (await tx.phoneNumber.count({ where: { workspaceId } })) === 0;
        const [created] = await tx.phoneNumber.createManyAndReturn({
          data: [{ ...number, workspaceId, isDefault }],
          skipDuplicates: true,
          omit: { workspaceId: true },
        });
        return created ?? null;
      });
    },
  };
}
