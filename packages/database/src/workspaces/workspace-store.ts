import { type EncodingChoice, QUOTAS, type Role, liveWorkspaceOf } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';

export interface WorkspaceSummary {
  id: string;
  name: string;
  /** ISO 3166 alpha-2; null if it was not chosen. */
  country: string | null;
  /** Members without a second factor have no access. */
  requireSecondFactor: boolean;
  /** What happens to the texts of sends that do not choose. */
  encoding: EncodingChoice;
  createdAt: Date;
  providerConfigured: boolean;
  defaultNumber: string | null;
}

export interface WorkspaceChange {
  name?: string | undefined;
  country?: string | null | undefined;
  requireSecondFactor?: boolean | undefined;
  encoding?: EncodingChoice | undefined;
}

/** The user of a session, and whether memberships that groups gave count in it. */
export interface SessionUser {
  id: string;
  usesGroups: boolean;
}

export interface WorkspaceStore {
  /**
   * Creates the workspace with its first member, the owner. `quota_exceeded`: the user owns the maximum
   * number of workspaces.
   */
  create(workspace: {
    id: string;
    name: string;
    country?: string | null | undefined;
    ownerId: string;
    /** The address of the owner's client. */
    ip: string | null;
    createdAt: Date;
  }): Promise<'created' | 'quota_exceeded'>;
  /** The rule of the second factor of a test workspace is that of its workspace, with which it shares the members. */
  find(id: string): Promise<WorkspaceSummary | null>;
  /** Changes the given parts. Returns false if there is no such workspace. */
  change(id: string, change: WorkspaceChange, by: Actor): Promise<boolean>;
  /**
   * Returns null if there is no such workspace. `role` is null if the user is not a member. The members of a test
   * workspace are those of its workspace, which also decides about the second factor.
   */
  findAccess(
    id: string,
    user: SessionUser,
  ): Promise<{ role: Role | null; requireSecondFactor: boolean } | null>;
  listOfUser(
    user: SessionUser,
  ): Promise<{ id: string; name: string; role: Role; requireSecondFactor: boolean }[]>;
  /** Lists the workspaces of a user with all of their settings, in the order of joining. */
  listPageOfUser(
    user: SessionUser,
    page: PageRequest,
  ): Promise<Page<WorkspaceSummary & { role: Role }>>;
}

/** The memberships that count in a session. */
const membershipsOf = ({ id, usesGroups }: SessionUser) => ({
  userId: id,
  ...(!usesGroups && { isFromGroup: false }),
});

const SUMMARY = {
  include: {
    providerAccounts: { where: { isDefault: true }, select: { id: true } },
    phoneNumbers: { where: { isDefault: true }, select: { number: true } },
  },
} as const;

export function createWorkspaceStore({ prisma }: Pick<Database, 'prisma'>): WorkspaceStore {
  return {
    async create({ id, name, country = null, ownerId, ip, createdAt }) {
      return prisma.$transaction(async (tx) => {
        // Concurrent requests of one owner count each other's workspaces.
        await tx.$executeRaw`
          SELECT pg_advisory_xact_lock(hashtextextended('workspaces of ' || ${ownerId}, 0))`;
        const owned = await tx.member.count({ where: { userId: ownerId, role: 'owner' } });
        if (owned >= QUOTAS.workspacesPerOwner) return 'quota_exceeded';
        await tx.workspace.create({
          data: {
            id,
            name,
            country,
            createdAt,
            members: { create: { userId: ownerId, role: 'owner', createdAt } },
            eventCounters: { create: {} },
          },
        });
        await recordAudit(
          tx,
          { kind: 'user', userId: ownerId, ip },
          {
            workspaceId: id,
            action: 'workspace.created',
            target: id,
            detail: { name, ...(country !== null && { country }) },
          },
        );
        return 'created';
      });
    },

    async find(id) {
      const liveId = liveWorkspaceOf(id);
      const found = await prisma.workspace.findMany({
        where: { id: { in: [id, liveId] } },
        ...SUMMARY,
      });
      const workspace = found.find((each) => each.id === id);
      const live = found.find((each) => each.id === liveId);
      if (workspace === undefined || live === undefined) return null;
      return { ...toSummary(workspace), requireSecondFactor: live.requireSecondFactor };
    },

    change(id, { name, country, requireSecondFactor, encoding }, by) {
      return prisma.$transaction(async (tx) => {
        const [before] = await tx.$queryRaw<
          Pick<WorkspaceSummary, 'name' | 'country' | 'requireSecondFactor' | 'encoding'>[]
        >`
          SELECT name, country, require_second_factor AS "requireSecondFactor", encoding
          FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
        if (before === undefined) return false;
        const entry = { workspaceId: id, target: id };
        if (name !== undefined && name !== before.name) {
          await tx.workspace.updateMany({ where: { id }, data: { name } });
          const detail = { from: before.name, to: name };
          await recordAudit(tx, by, { ...entry, action: 'workspace.renamed', detail });
        }
        if (country !== undefined && country !== before.country) {
          await tx.workspace.updateMany({ where: { id }, data: { country } });
          const detail = { from: before.country, to: country };
          await recordAudit(tx, by, { ...entry, action: 'workspace.country_changed', detail });
        }
        if (encoding !== undefined && encoding !== before.encoding) {
          await tx.workspace.updateMany({ where: { id }, data: { encoding } });
          const detail = { from: before.encoding, to: encoding };
          await recordAudit(tx, by, { ...entry, action: 'workspace.encoding_changed', detail });
        }
        if (
          requireSecondFactor !== undefined &&
          requireSecondFactor !== before.requireSecondFactor
        ) {
          await tx.workspace.updateMany({ where: { id }, data: { requireSecondFactor } });
          const action = 'workspace.second_factor_rule_changed';
          await recordAudit(tx, by, {
            ...entry,
            action,
            detail: { required: requireSecondFactor },
          });
        }
        return true;
      });
    },

    async findAccess(id, user) {
      const liveId = liveWorkspaceOf(id);
      const found = await prisma.workspace.findMany({
        where: { id: { in: [id, liveId] } },
        select: {
          id: true,
          requireSecondFactor: true,
          members: { where: membershipsOf(user), select: { role: true } },
        },
      });
      const live = found.find((workspace) => workspace.id === liveId);
      if (live === undefined || !found.some((workspace) => workspace.id === id)) return null;
      return { role: live.members[0]?.role ?? null, requireSecondFactor: live.requireSecondFactor };
    },

    async listOfUser(user) {
      const members = await prisma.member.findMany({
        where: membershipsOf(user),
        select: {
          role: true,
          workspace: { select: { id: true, name: true, requireSecondFactor: true } },
        },
        orderBy: { createdAt: 'asc' },
      });
      return members.map(({ role, workspace }) => ({ ...workspace, role }));
    },

    listPageOfUser(user, page) {
      const where = membershipsOf(user);
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
  country: string | null;
  requireSecondFactor: boolean;
  encoding: EncodingChoice;
  createdAt: Date;
  providerAccounts: { id: string }[];
  phoneNumbers: { number: string }[];
}): WorkspaceSummary {
  const { id, name, country, requireSecondFactor, encoding, createdAt } = workspace;
  const { providerAccounts, phoneNumbers } = workspace;
  return {
    id,
    name,
    country,
    requireSecondFactor,
    encoding,
    createdAt,
    providerConfigured: providerAccounts.length > 0,
    defaultNumber: phoneNumbers[0]?.number ?? null,
  };
}
