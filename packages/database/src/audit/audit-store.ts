import { toShownAddress } from './closed-account.ts';
import type { AuditAction } from '@switchboard/core';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
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
  ip: string | null;
}

/** Selects entries; a missing field selects all. */
export interface AuditSelection {
  /** The id of a user or of a key, or `operator`. */
  actor?: string | undefined;
  action?: AuditAction | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** Reads the audit trail. `recordAudit` writes its entries in the transactions of the changes, and `relayAccountChanges` later. */
export interface AuditStore {
  /** Newest first. */
  list(
    workspaceId: string,
    selection: AuditSelection,
    page: PageRequest,
  ): Promise<Page<StoredAuditEntry>>;
  /** Reads at most `limit` entries that are older than the entry `before`, newest first; null for the newest. */
  listBefore(
    workspaceId: string,
    selection: AuditSelection,
    before: string | null,
    limit: number,
  ): Promise<StoredAuditEntry[]>;
}

const SHOWN = {
  orderBy: { id: 'desc' },
  include: { user: { select: { email: true } }, apiKey: { select: { name: true } } },
} as const satisfies Prisma.AuditEntryFindManyArgs;

type Shown = Prisma.AuditEntryGetPayload<typeof SHOWN>;

export function createAuditStore({ prisma }: Pick<Database, 'prisma'>): AuditStore {
  return {
    list(workspaceId, selection, page) {
      const where = selected(workspaceId, selection);
      return listPage(
        page,
        () => prisma.auditEntry.count({ where }),
        async (range) => {
          return (await prisma.auditEntry.findMany({ ...range, where, ...SHOWN })).map(toEntry);
        },
      );
    },
    async listBefore(workspaceId, selection, before, limit) {
      const isOlder = before === null ? {} : { id: { lt: before } };
      const where = { ...selected(workspaceId, selection), ...isOlder };
      const entries = await prisma.auditEntry.findMany({ where, take: limit, ...SHOWN });
      return entries.map(toEntry);
    },
  };
}

function selected(
  workspaceId: string,
  { actor, action, from, to }: AuditSelection,
): Prisma.AuditEntryWhereInput {
  return {
    workspaceId,
    ...(actor === 'operator' && { userId: null, apiKeyId: null }),
    ...(actor !== undefined &&
      actor !== 'operator' && { OR: [{ userId: actor }, { apiKeyId: actor }] }),
    ...(action !== undefined && { action }),
    ...((from !== undefined || to !== undefined) && {
      at: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) },
    }),
  };
}

function toEntry({ id, at, userId, user, apiKeyId, apiKey, ...entry }: Shown): StoredAuditEntry {
  return {
    id,
    at,
    actor:
      user !== null
        ? { kind: 'user', id: userId, name: toShownAddress(user.email) }
        : apiKey !== null
          ? { kind: 'api_key', id: apiKeyId, name: apiKey.name }
          : { kind: 'operator', id: null, name: null },
    // Only `recordAudit` writes this column.
    action: entry.action as AuditAction,
    target: entry.target,
    detail: entry.detail as Record<string, unknown>,
    ip: entry.ip,
  };
}
