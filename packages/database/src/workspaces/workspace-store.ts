import { QUOTAS } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';

export type Role = 'owner' | 'member';

export interface WorkspaceSummary {
  id: string;
  name: string;
  createdAt: Date;
  providerConfigured: boolean;
  defaultNumber: string | null;
}

export interface WorkspaceStore {
  /**
   * Creates the workspace with its first member, the owner. `quota_exceeded`: the user owns the maximum
   * number of workspaces.
   */
  create(workspace: {
    id: string;
    name: string;
    ownerId: string;
    createdAt: Date;
  }): Promise<'created' | 'quota_exceeded'>;
  find(id: string): Promise<WorkspaceSummary | null>;
  /** Returns false if there is no such workspace. */
  rename(id: string, name: string, by: Actor): Promise<boolean>;
  /** Returns null if there is no such workspace. `role` is null if the user is not a member. */
  findAccess(id: string, userId: string): Promise<{ role: Role | null } | null>;
  listOfUser(userId: string): Promise<{ id: string; name: string; role: Role }[]>;
  /** Lists the workspaces of a user with all of their settings, in the order of joining. */
  listPageOfUser(
    userId: string,
    page: PageRequest,
  ): Promise<Page<WorkspaceSummary & { role: Role }>>;
}

const SUMMARY = {
  include: {
    provider: { select: { workspaceId: true } },
    phoneNumbers: { where: { isDefault: true }, select: { number: true } },
  },
} as const;

export function createWorkspaceStore({ prisma }: Pick<Database, 'prisma'>): WorkspaceStore {
  return {
    async create({ id, name, ownerId, createdAt }) {
      return prisma.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${ownerId}::uuid FOR NO KEY UPDATE`;
        const owned = await tx.member.count({ where: { userId: ownerId, role: 'owner' } });
        if (owned >= QUOTAS.workspacesPerOwner) return 'quota_exceeded';
        await tx.workspace.create({
          data: {
            id,
            name,
            createdAt,
            members: { create: { userId: ownerId, role: 'owner', createdAt } },
            eventCounter: { create: { lastSeq: 0n } },
          },
        });
        await recordAudit(
          tx,
          { kind: 'user', userId: ownerId },
          { workspaceId: id, action: 'workspace.created', target: id, detail: { name } },
        );
        return 'created';
      });
    },

    async find(id) {
      const workspace = await prisma.workspace.findUnique({ where: { id }, ...SUMMARY });
      return workspace === null ? null : toSummary(workspace);
    },

    rename(id, name, by) {
      return prisma.$transaction(async (tx) => {
        const [before] = await tx.$queryRaw<{ name: string }[]>`
          SELECT name FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
        if (before === undefined) return false;
        if (before.name === name) return true;
        await tx.workspace.updateMany({ where: { id }, data: { name } });
        await recordAudit(tx, by, {
          workspaceId: id,
          action: 'workspace.renamed',
          target: id,
          detail: { from: before.name, to: name },
        });
        return true;
      });
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

    listPageOfUser(userId, page) {
      const where = { userId };
      return listPage(
        page,
        () => prisma.member.count({ where }),
        async (range) => {
          const members = await prisma.member.findMany({
            ...range,
            where,
            include: { workspace: SUMMARY },
            orderBy: [{ createdAt: 'asc' }, { workspaceId: 'asc' }],
          });
          return members.map(({ role, workspace }) => ({ ...toSummary(workspace), role }));
        },
      );
    },
  };
}

function toSummary(workspace: {
  id: string;
  name: string;
  createdAt: Date;
  provider: object | null;
  phoneNumbers: { number: string }[];
}): WorkspaceSummary {
  const { id, name, createdAt, provider, phoneNumbers } = workspace;
  return {
    id,
    name,
    createdAt,
    providerConfigured: provider !== null,
    defaultNumber: phoneNumbers[0]?.number ?? null,
  };
}
