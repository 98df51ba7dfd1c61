import {
  ALL_SCOPES,
  QUOTAS,
  createBatch,
  liveWorkspaceOf,
  testWorkspaceOf,
} from '@switchboard/core';
import { type Actor, OPERATOR } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { runStatement } from '../run-statement.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { type ActiveApiKey, USE_IS_STALE, createFindActiveKey } from './find-active-keys.ts';
import { recordKeyChange } from './record-key-change.ts';
import { type KeyRotation, type RotateOutcome, createRotateKey } from './rotate-key.ts';

export interface StoredApiKey {
  id: string;
  /** The workspace or, for a key of test mode, its test workspace. */
  workspaceId: string;
  name: string;
  prefix: string;
  last4: string;
  scopes: string[];
  allowedIps: string[];
  createdAt: Date;
  expiresAt: Date | null;
  /** Until when a secret before the last rotation works; null if none does. */
  previousEndsAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  revokedAt: Date | null;
}

export interface NewApiKey {
  id: string;
  workspaceId: string;
  name: string;
  keyHash: Buffer;
  prefix: string;
  last4: string;
  createdAt: Date;
  /** All by default. */
  scopes?: string[];
  /** Networks in CIDR notation; any address by default. */
  allowedIps?: string[];
  /** Null, the default: the key does not expire. */
  expiresAt?: Date | null;
}

/** A use of a key, from the client's address. */
export interface KeyUse {
  workspaceId: string;
  id: string;
  ip: string;
}

export interface ApiKeyStore {
  /** Creates a key. `quota_exceeded`: the workspace has reached its limit of active keys. */
  create(key: NewApiKey, by?: Actor): Promise<'created' | 'quota_exceeded'>;
  /** Finds a key by a secret of it, also by one that has ended. Returns null if the key is unknown or revoked. */
  findActive(keyHash: Buffer): Promise<ActiveApiKey | null>;
  /** Writes at most once a minute for an active key, even if it is called more often. */
  recordUse(use: KeyUse): Promise<void>;
  /** Lists the keys of both modes of a workspace, the newest first, including revoked ones. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredApiKey>>;
  /** Returns which of the two, the workspace or its test workspace, has the key; null if neither has it. */
  findWorkspace(workspaceId: string, id: string): Promise<string | null>;
  /** Gives a key another secret. `ended`: the key was revoked or has expired. */
  rotate(rotation: KeyRotation, by: Actor): Promise<RotateOutcome>;
  /** Also returns `revoked` if the key was revoked before. */
  revoke(workspaceId: string, id: string, at: Date, by: Actor): Promise<'revoked' | 'missing'>;
}

const SHOWN = {
  id: true,
  workspaceId: true,
  name: true,
  prefix: true,
  last4: true,
  scopes: true,
  allowedIps: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  lastUsedIp: true,
  revokedAt: true,
} as const;

const bothModesOf = (workspaceId: string) => [
  liveWorkspaceOf(workspaceId),
  testWorkspaceOf(workspaceId),
];

export function createApiKeyStore({ prisma, pool }: Database): ApiKeyStore {
  const recordUse = createBatch<KeyUse, void>({
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 10_000,
    async run(uses) {
      // If another process is writing the row, that process records the use. Skipping the row avoids
      // waits and deadlocks.
      await runStatement(
        pool,
        `UPDATE api_keys k SET last_used_at = now(), last_used_ip = stale.ip
         FROM (
           SELECT workspace_id, id, ip
           FROM api_keys JOIN unnest($1::uuid[], $2::uuid[], $3::text[]) AS used(workspace_id, id, ip)
             USING (workspace_id, id)
           WHERE revoked_at IS NULL AND ${USE_IS_STALE}
           FOR UPDATE OF api_keys SKIP LOCKED
         ) AS stale
         WHERE k.workspace_id = stale.workspace_id AND k.id = stale.id`,
        [
          uses.map(({ workspaceId }) => workspaceId),
          uses.map(({ id }) => id),
          uses.map(({ ip }) => ip),
        ],
      );
      return uses.map(() => undefined);
    },
  });

  return {
    async create(key, by = OPERATOR) {
      const { workspaceId, scopes = [ALL_SCOPES], allowedIps = [], expiresAt = null } = key;
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const alive = [{ expiresAt: null }, { expiresAt: { gt: key.createdAt } }];
        const active = await tx.apiKey.count({
          where: { workspaceId, revokedAt: null, OR: alive },
        });
        if (active >= QUOTAS.apiKeysPerWorkspace) return 'quota_exceeded';
        await tx.apiKey.create({ data: { ...key, keyHash: new Uint8Array(key.keyHash) } });
        await recordKeyChange(tx, by, {
          workspaceId,
          action: 'api_key.created',
          target: key.id,
          detail: {
            name: key.name,
            ...(!scopes.includes(ALL_SCOPES) && { scopes }),
            ...(allowedIps.length > 0 && { allowed_ips: allowedIps }),
            ...(expiresAt !== null && { expires_at: expiresAt.toISOString() }),
          },
        });
        return 'created';
      });
    },
    findActive: createFindActiveKey(pool),
    recordUse,

    list(workspaceId, page) {
      const where = { workspaceId: { in: bothModesOf(workspaceId) } };
      return listPage(
        page,
        () => prisma.apiKey.count({ where }),
        async (range) => {
          const replaced = {
            where: { endsAt: { gt: new Date() } },
            orderBy: { endsAt: 'desc' },
            take: 1,
          } as const;
          const select = { ...SHOWN, replaced };
          const found = await prisma.apiKey.findMany({
            ...range,
            where,
            select,
            orderBy: { id: 'desc' },
          });
          return found.map(({ replaced: [latest], ...key }) => ({
            ...key,
            previousEndsAt: latest?.endsAt ?? null,
          }));
        },
      );
    },

    async findWorkspace(workspaceId, id) {
      const where = { workspaceId: { in: bothModesOf(workspaceId) }, id };
      const found = await prisma.apiKey.findFirst({ where, select: { workspaceId: true } });
      return found?.workspaceId ?? null;
    },

    rotate: createRotateKey({ prisma }),

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
        await recordKeyChange(tx, by, {
          workspaceId,
          action: 'api_key.revoked',
          target: id,
          detail,
        });
        return 'revoked';
      });
    },
  };
}
