import { createBatch } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';

export interface ActiveApiKey {
  id: string;
  workspaceId: string;
}

export interface ApiKeyStore {
  create(key: {
    id: string;
    workspaceId: string;
    name: string;
    keyHash: Buffer;
    prefix: string;
    last4: string;
    createdAt: Date;
  }): Promise<void>;
  /** Null when unknown or revoked. */
  findActive(keyHash: Buffer): Promise<ActiveApiKey | null>;
}

export function createApiKeyStore({ prisma, pool }: Database): ApiKeyStore {
  // Look-ups of one moment share a query; nothing is cached, so a revoked key stops at once.
  const findActive = createBatch<Buffer, ActiveApiKey | null>({
    maxSize: 500,
    concurrency: 4,
    maxWaiting: 10_000,
    async run(hashes) {
      const rows = await runStatement<ActiveApiKey & { keyHash: Buffer }>(
        pool,
        `SELECT key_hash AS "keyHash", id, workspace_id AS "workspaceId" FROM api_keys
         WHERE key_hash = ANY($1::bytea[]) AND revoked_at IS NULL`,
        [hashes],
      );
      const byHash = new Map(rows.map((row) => [row.keyHash.toString('hex'), row]));
      return hashes.map((hash) => {
        const row = byHash.get(hash.toString('hex'));
        return row === undefined ? null : { id: row.id, workspaceId: row.workspaceId };
      });
    },
  });

  return {
    async create(key) {
      await prisma.apiKey.create({ data: { ...key, keyHash: new Uint8Array(key.keyHash) } });
    },
    findActive,
  };
}
