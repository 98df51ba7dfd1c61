import { QUOTAS, createBatch } from '@switchboard/core';
import { type Actor, OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface ActiveApiKey {
  id: string;
  workspaceId: string;
  /**
   * Milliseconds until the recorded last use is a minute old; 0 if it is older, or if the key was
   * never used.
   */
  useStaleInMs: number;
}

export interface StoredApiKey {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface ApiKeyStore {
  /** Creates a key. `quota_exceeded`: the workspace has reached its limit of active keys. */
  create(
    key: {
      id: string;
      workspaceId: string;
      name: string;
      keyHash: Buffer;
      prefix: string;
      last4: string;
      createdAt: Date;
    },
    by?: Actor,
  ): Promise<'created' | 'quota_exceeded'>;
  /** Returns null if the key is unknown or revoked. */
  findActive(keyHash: Buffer): Promise<ActiveApiKey | null>;
  /** Writes at most once a minute for an active key, even if it is called more often. */
  recordUse(key: Pick<ActiveApiKey, 'workspaceId' | 'id'>): Promise<void>;
  /** Lists the newest keys first, including revoked ones. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredApiKey>>;
  /** Also returns `revoked` if the key was revoked before. */
  revoke(workspaceId: string, id: string, at: Date, by: Actor): Promise<'revoked' | 'missing'>;
}

const STALE = `(last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`;

const FIND_ACTIVE: Prepared = {
  name: 'find_active_api_keys',
  text: `
SELECT key_hash AS "keyHash", id, workspace_id AS "workspaceId",
  CASE WHEN ${STALE} THEN 0
    ELSE ceil(extract(epoch FROM last_used_at - now()) * 1000)::int + 60000 END AS "useStaleInMs"
FROM api_keys WHERE key_hash = ANY($1::bytea[]) AND revoked_at IS NULL`,
};

const SHOWN = {
  id: true,
  name: true,
  prefix: true,
  last4: true,
  createdAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

export function createApiKeyStore({ prisma, pool }: Database): ApiKeyStore {
  // Concurrent lookups share a query. Results are not cached, so a revoked key stops working
  // immediately.
  const findActive = createBatch<Buffer, ActiveApiKey | null>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 10_000,
    async run(hashes) {
      const wanted = hashes.map((hash) => hash.toString('hex'));
      const rows = await runStatement<ActiveApiKey & { keyHash: Buffer }>(pool, FIND_ACTIVE, [
        Array.from(new Set(wanted), (hex) => `\\x${hex}`),
      ]);
      const byHash = new Map(rows.map(({ keyHash, ...key }) => [keyHash.toString('hex'), key]));
      return wanted.map((hex) => byHash.get(hex) ?? null);
    },
  });

  const recordUse = createBatch<Pick<ActiveApiKey, 'workspaceId' | 'id'>, void>({
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 10_000,
    async run(keys) {
      // If another process is writing the row, that process records the use. Skipping the row avoids
      // waits and deadlocks.
      await runStatement(
        pool,
        `UPDATE api_keys SET last_used_at = now() WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM api_keys JOIN unnest($1::uuid[], $2::uuid[]) AS used(workspace_id, id)
             USING (workspace_id, id)
           WHERE revoked_at IS NULL AND ${STALE}
           FOR UPDATE OF api_keys SKIP LOCKED)`,
        [keys.map(({ workspaceId }) => workspaceId), keys.map(({ id }) => id)],
      );
      return keys.map(() => undefined);
    },
  });

  return {
    async create(key, by = OPERATOR) {
      const { workspaceId } = key;
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const active = await tx.apiKey.count({ where: { workspaceId, revokedAt: null } });
        if (active >= QUOTAS.apiKeysPerWorkspace) return 'quota_exceeded';
        await tx.apiKey.create({ data: { ...key, keyHash: new Uint8Array(key.keyHash) } });
        await recordAudit(tx, by, {
          workspaceId,
          action: 'api_key.created',
          target: key.id,
          detail: { name: key.name },
        });
        return 'created';
      });
    },
    findActive,
    recordUse,

    list(workspaceId, page) {
      const where = { workspaceId };
      return listPage(
        page,
        () => prisma.apiKey.count({ where }),
        (range) =>
          prisma.apiKey.findMany({ ...range, where, select: SHOWN, orderBy: { id: 'desc' } }),
      );
    },

    revoke(workspaceId, id, at, by) {
      return prisma.$transaction(async (tx) => {
        const [revoked] = await tx.apiKey.updateManyAndReturn({
          where: { workspaceId, id, revokedAt: null },
          data: { revokedAt: at },
          select: { name: true },
        });
        if (revoked === undefined) {
          const exists = (await tx.apiKey.count({ where: { workspaceId, id } })) > 0;
          return exists ? 'revoked' : 'missing';
        }
        const detail = { name: revoked.name };
        await recordAudit(tx, by, { workspaceId, action: 'api_key.revoked', target: id, detail });
        return 'revoked';
      });
    },
  };
}
