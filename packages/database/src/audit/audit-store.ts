import type { AuditAction } from '@switchboard/core';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';

export interface StoredAuditEntry {
  id: string;
  at: Date;
  /**
   * `name` is the current one: the email address of a user or the name of a key; null for the operator.
   */
  actor: { kind: 'user' | 'api_key' | 'operator'; id: string | null; name: string | null };
  action: AuditAction;
  target: string;
  detail: Record<string, unknown>;
}

/** Reads the audit trail. `recordAudit` writes its entries in the transactions of the changes, and `relayAccountChanges` later. */
export interface AuditStore {
  /** Newest first. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredAuditEntry>>;
}

export function createAuditStore({ prisma }: Pick<Database, 'prisma'>): AuditStore {
  return {
    list(workspaceId, page) {
      const where = { workspaceId };
      return listPage(
        page,
        () => prisma.auditEntry.count({ where }),
        async (range) => {
          const entries = await prisma.auditEntry.findMany({
            ...range,
            where,
            orderBy: { id: 'desc' },
            include: { user: { select: { email: true } }, apiKey: { select: { name: true } } },
          });
          return entries.map(({ id, at, userId, user, apiKeyId, apiKey, ...entry }) => ({
            id,
            at,
            actor:
              user !== null
                ? { kind: 'user', id: userId, name: user.email }
                : apiKey !== null
                  ? { kind: 'api_key', id: apiKeyId, name: apiKey.name }
                  : { kind: 'operator', id: null, name: null },
            // Only `recordAudit` writes this column.
            action: entry.action as AuditAction,
            target: entry.target,
            detail: entry.detail as Record<string, unknown>,
          }));
        },
      );
    },
  };
}
