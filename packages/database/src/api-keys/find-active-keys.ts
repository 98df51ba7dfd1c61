import type pg from 'pg';
import { createBatch } from '@switchboard/core';
import { type Prepared, runStatement } from '../run-statement.ts';

/** A key that is not revoked. */
export interface ActiveApiKey {
  id: string;
  workspaceId: string;
  /** The version of the secret that was found: that of the key, or of a secret before a rotation. */
  version: number;
  scopes: readonly string[];
  /** Networks in CIDR notation; none for any address. */
  allowedIps: readonly string[];
  /** When the secret that was found ends; null if it does not. */
  endsAt: Date | null;
  hasEnded: boolean;
  /**
   * Milliseconds until the recorded last use is a minute old; 0 if it is older, or if the key was
   * never used.
   */
  useStaleInMs: number;
}

/** Whether a use of an API key is to be recorded. */
export const USE_IS_STALE = `(last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`;

const FIND: Prepared = {
  name: 'find_active_api_keys',
  text: `
SELECT found.key_hash AS "keyHash", id, workspace_id AS "workspaceId", found.version, scopes,
  allowed_ips AS "allowedIps", found.ends_at AS "endsAt", COALESCE(found.ends_at <= now(), false) AS "hasEnded",
  CASE WHEN ${USE_IS_STALE} THEN 0
    ELSE ceil(extract(epoch FROM last_used_at - now()) * 1000)::int + 60000 END AS "useStaleInMs"
FROM (
  SELECT workspace_id, id, key_hash, version, expires_at AS ends_at
  FROM api_keys WHERE key_hash = ANY($1::bytea[])
  UNION ALL
  SELECT workspace_id, api_key_id, key_hash, version, ends_at
  FROM replaced_keys WHERE key_hash = ANY($1::bytea[])
) AS found JOIN api_keys USING (workspace_id, id)
WHERE revoked_at IS NULL`,
};

/**
 * Creates the lookup of keys by the hash of a secret. Concurrent lookups share a query. Results are not cached,
 * so a revoked key stops working immediately.
 */
export function createFindActiveKey(pool: pg.Pool) {
  return createBatch<Buffer, ActiveApiKey | null>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 10_000,
    async run(hashes) {
      const wanted = hashes.map((hash) => hash.toString('hex'));
      const rows = await runStatement<ActiveApiKey & { keyHash: Buffer }>(pool, FIND, [
        Array.from(new Set(wanted), (hex) => `\\x${hex}`),
      ]);
      const byHash = new Map(rows.map(({ keyHash, ...key }) => [keyHash.toString('hex'), key]));
      return wanted.map((hex) => byHash.get(hex) ?? null);
    },
  });
}

/**
 * The SQL for whether a secret of the API key `k` works, which is the key's row: the current secret until the key
 * expires, one before a rotation until the overlap ends. `k` is not revoked.
 */
export const secretWorks = (version: string): string => `
CASE WHEN ${version} = k.version THEN k.expires_at IS NULL OR k.expires_at > now()
  ELSE (SELECT r.ends_at > now() FROM replaced_keys r
    WHERE r.workspace_id = k.workspace_id AND r.api_key_id = k.id AND r.version = ${version}) IS TRUE END`;
