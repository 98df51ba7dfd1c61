import type { RoutingRule } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredRouting {
  rules: RoutingRule[];
  failover: boolean;
}

/** The routing of each workspace; without one, there are no rules and no failover. */
export interface RoutingStore {
  find(workspaceId: string): Promise<StoredRouting>;
  /**
   * Replaces the routing. `unknown_provider`: a rule names an account that the workspace does not
   * have.
   */
  put(
    workspaceId: string,
    routing: StoredRouting & { at: Date },
    by: Actor,
  ): Promise<'stored' | 'unknown_provider'>;
}

export function createRoutingStore({ prisma }: Pick<Database, 'prisma'>): RoutingStore {
  return {
    async find(workspaceId) {
      const found = await prisma.workspaceRouting.findUnique({ where: { workspaceId } });
      if (found === null) return { rules: [], failover: false };
      return { rules: found.rules as unknown as RoutingRule[], failover: found.failover };
    },

    put(workspaceId, { rules, failover, at }, by) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const accounts = await tx.providerAccount.findMany({
          where: { workspaceId },
          select: { id: true },
        });
        const ids = new Set(accounts.map(({ id }) => id));
        const named = rules.flatMap(({ providers }) => providers);
        if (named.some(({ providerId }) => !ids.has(providerId))) return 'unknown_provider';
        const stored = rules.map(({ prefix, providers }) => ({
          prefix,
          providers: providers.map(({ providerId, weight }) => ({ providerId, weight })),
        }));
        const fields = { rules: stored, failover, updatedAt: at };
        await tx.workspaceRouting.upsert({
          where: { workspaceId },
          create: { ...fields, workspaceId },
          update: fields,
        });
        await tx.providerAccount.updateMany({
          where: { workspaceId, isDefault: true },
          data: { isRouted: rules.length > 0 },
        });
        await recordAudit(tx, by, {
          workspaceId,
          action: 'routing.set',
          target: workspaceId,
          detail: { rules: stored, failover },
        });
        return 'stored';
      });
    },
  };
}
