import { QUOTAS } from '@switchboard/core';
import type { Actor } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { recordKeyChange } from './record-key-change.ts';

export interface KeyRotation {
  workspaceId: string;
  id: string;
  keyHash: Buffer;
  prefix: string;
  last4: string;
  /** How long the secrets before this one still work. */
  overlapMs: number;
  /** Null keeps the time of the key. */
  expiresAt: Date | null;
}

interface RotatedKey {
  name: string;
  scopes: string[];
  allowedIps: string[];
  createdAt: Date;
  expiresAt: Date | null;
  /** Null if no earlier secret works. */
  previousEndsAt: Date | null;
}

export type RotateOutcome = RotatedKey | 'missing' | 'ended' | 'quota_exceeded';

interface LockedKey extends RotatedKey {
  version: number;
  keyHash: Uint8Array<ArrayBuffer>;
  hasEnded: boolean;
  now: Date;
}

/** The function that gives a key another secret. All times are those of the database, which also checks keys. */
export function createRotateKey({ prisma }: Pick<Database, 'prisma'>) {
  return (rotation: KeyRotation, by: Actor): Promise<RotateOutcome> =>
    prisma.$transaction(async (tx) => {
      const { workspaceId, id, overlapMs } = rotation;
      const [key] = await tx.$queryRaw<LockedKey[]>`
        SELECT name, scopes, allowed_ips AS "allowedIps", created_at AS "createdAt", expires_at AS "expiresAt",
          version, key_hash AS "keyHash", clock_timestamp() AS now,
          revoked_at IS NOT NULL OR COALESCE(expires_at <= clock_timestamp(), false) AS "hasEnded"
        FROM api_keys WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
      if (key === undefined) return 'missing';
      if (key.hasEnded) return 'ended';

      const { version, now } = key;
      const ends = earlier(key.expiresAt, new Date(now.getTime() + overlapMs));
      const ofKey = { workspaceId, apiKeyId: id };
      const earlierSecrets = await tx.replacedKey.count({
        where: { ...ofKey, endsAt: { gt: now } },
      });
      if (ends > now && earlierSecrets >= QUOTAS.replacedSecretsPerKey) return 'quota_exceeded';
      // A short overlap is for a secret that others know, which may be any of the earlier ones.
      await tx.replacedKey.updateMany({
        where: { ...ofKey, endsAt: { gt: ends } },
        data: { endsAt: ends },
      });
      // Those that ended are kept for the details of their refusals.
      await tx.replacedKey.deleteMany({
        where: {
          ...ofKey,
          endsAt: { lte: now },
          version: { lte: version - QUOTAS.replacedSecretsPerKey },
        },
      });
      await tx.replacedKey.create({
        data: { ...ofKey, version, keyHash: key.keyHash, endsAt: ends },
      });
      const expiresAt = rotation.expiresAt ?? key.expiresAt;
      await tx.apiKey.update({
        where: { workspaceId_id: { workspaceId, id } },
        data: {
          keyHash: new Uint8Array(rotation.keyHash),
          prefix: rotation.prefix,
          last4: rotation.last4,
          version: version + 1,
          expiresAt,
        },
      });
      const previousEndsAt = ends > now ? ends : null;
      await recordKeyChange(tx, by, {
        workspaceId,
        action: 'api_key.rotated',
        target: id,
        detail: {
          name: key.name,
          previous_ends_at: ends.toISOString(),
          expires_at: expiresAt?.toISOString() ?? null,
        },
      });
      return {
        name: key.name,
        scopes: key.scopes,
        allowedIps: key.allowedIps,
        createdAt: key.createdAt,
        expiresAt,
        previousEndsAt,
      };
    });
}

function earlier(first: Date | null, second: Date): Date {
  return first !== null && first < second ? first : second;
}
