import { createUuidV7 } from '@switchboard/core';
import { createApiKey, hashToken } from '@switchboard/credentials';
import type pg from 'pg';

/** Adds an API key directly to the database. */
export async function addApiKey(
  pool: Pick<pg.Pool, 'query'>,
  workspaceId: string,
  limits: { scopes?: readonly string[]; allowedIps?: readonly string[] } = {},
): Promise<{ id: string; key: string }> {
  const id = createUuidV7(Date.now());
  const { key, prefix, last4 } = createApiKey();
  await pool.query(
    `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at, scopes, allowed_ips)
     VALUES ($1, $2, 'Limited', $3, $4, $5, now(), $6, $7)`,
    [
      id,
      workspaceId,
      hashToken(key),
      prefix,
      last4,
      limits.scopes ?? ['*'],
      limits.allowedIps ?? [],
    ],
  );
  return { id, key };
}
