import type { Database } from '../database.ts';

export type Role = 'owner' | 'member';

export interface WorkspaceSummary {
  id: string;
  name: string;
  createdAt: Date;
  providerConfigured: boolean;
  defaultNumber: string | null;
}

export interface WorkspaceStore {
  /** Makes the workspace with its first member, the owner. */
  create(workspace: { id: string; name: string; ownerId: string; createdAt: Date }): Promise<void>;
  find(id: string): Promise<WorkspaceSummary | null>;
  /** False when there is no such workspace. */
  rename(id: string, name: string): Promise<boolean>;
  /** Null when there is no such workspace; `role` is null when the user is not a member. */
  findAccess(id: string, userId: string): Promise<{ role: Role | null } | null>;
  listOfUser(userId: string): Promise<{ id: string; name: string; role: Role }[]>;
}

export function createWorkspaceStore({ prisma }: Pick<Database, 'prisma'>): WorkspaceStore {
  return {
    async create({ id, name, ownerId, createdAt }) {
      await prisma.workspace.create({
        data: {
          id,
          name,
          createdAt,
          members: { create: { userId: ownerId, role: 'owner', createdAt } },
          eventCounter: { create: { lastSeq: 0n } },
        },
      });
    },

    async find(id) {
      const workspace = await prisma.workspace.findUnique({
        where: { id },
        include: {
          provider: { select: { workspaceId: true } },
          phoneNumbers: { where: { isDefault: true }, select: { number: true } },
        },
      });
      if (workspace === null) return null;
      return {
        id: workspace.id,
        name: workspace.name,
        createdAt: workspace.createdAt,
        providerConfigured: workspace.provider !== null,
        defaultNumber: workspace.phoneNumbers[0]?.number ?? null,
      };
    },

    async rename(id, name) {
      return (await prisma.workspace.updateMany({ where: { id }, data: { name } })).count === 1;
    },

    async findAccess(id, userId) {
      const workspace = await prisma.workspace.findUnique({
        where: { id },
        select: { members: { where: { userId }, select: { role: true } } },
      });
      return workspace === null ? null : { role: workspace.members[0]?.role ?? null };
    },

    async listOfUser(userId) {
      const members = await prisma.member.findMany({
        where: { userId },
        select: { role: true, workspace: { select: { id: true, name: true } } },
        orderBy: { createdAt: 'asc' },
      });
      return members.map(({ role, workspace }) => ({ ...workspace, role }));
    },
  };
}
