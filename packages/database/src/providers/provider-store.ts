import { createBatch } from '@switchboard/core';
import type { OnUnknown } from '@switchboard/core';
import { anyLength } from '../array-parameter.ts';
import { type Actor, OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { resetInbound } from '../phone-numbers/phone-number-store.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

export interface StoredProvider {
  id: string;
  workspaceId: string;
  type: string;
  account: string;
  sealedSecret: string;
  secretLast4: string;
  senderPool: string | null;
  onUnknown: OnUnknown;
  createdAt: Date;
  updatedAt: Date;
  /** Since when the provider refuses the credentials, and its error; null while it accepts them. */
  refusedSince: Date | null;
  refusedDetail: string | null;
  /**
   * Whether the provider has accepted these credentials. Until then, the account is not proved, and
   * nothing that is signed with its token is evidence.
   */
  isVerified: boolean;
  /** Since when the circuit breaker is open, and the latest error; null while it is closed. */
  failingSince: Date | null;
  failingDetail: string | null;
}

/** The sealed text also identifies the version of the credentials. */
export interface SealedCredentials {
  workspaceId: string;
  sealedSecret: string;
}

/** The provider account of each workspace. */
export interface ProviderStore {
  find(workspaceId: string): Promise<StoredProvider | null>;
  findById(id: string): Promise<StoredProvider | null>;
  /**
   * Stores credentials. New ones are used until the provider refuses them, and are verified when it has
   * accepted them. A different account resets the URLs of the workspace's numbers.
   */
  put(
    provider: Omit<
      StoredProvider,
      | 'id'
      | 'createdAt'
      | 'updatedAt'
      | 'refusedSince'
      | 'refusedDetail'
      | 'failingSince'
      | 'failingDetail'
      | 'isVerified'
    > & { at: Date },
    by?: Actor,
  ): Promise<StoredProvider>;
  /** Returns false if no account is configured. */
  remove(workspaceId: string, by: Actor): Promise<boolean>;

  /**
   * Records that the provider refused the credentials of a call. Does not change newer credentials.
   * Keeps the time of the first of consecutive refusals.
   */
  recordRefusal(refused: SealedCredentials & { detail: string }): Promise<void>;
  /**
   * Verifies the account, because the provider has accepted the credentials. Concurrent calls share a
   * query, which writes only changes.
   */
  recordSuccess(used: SealedCredentials): Promise<void>;
  /**
   * Verifies the account after the provider has accepted the credentials for a request that sends
   * nothing. A refusal of sends stays.
   */
  recordVerified(used: SealedCredentials): Promise<void>;

  /** Lists the next credentials in the order of their workspaces, for sealing all of them again. */
  listSealed(afterWorkspaceId: string | null, limit: number): Promise<SealedCredentials[]>;
  /** Replaces texts that are still equal to `from`, and returns their number. */
  replaceSealed(
    replacements: readonly { workspaceId: string; from: string; to: string }[],
  ): Promise<number>;
}

const SELECT = `
SELECT id, workspace_id AS "workspaceId", type, account_sid AS account,
  auth_token_encrypted AS "sealedSecret", auth_token_last4 AS "secretLast4",
  messaging_service_sid AS "senderPool", on_unknown AS "onUnknown",
  created_at AS "createdAt", updated_at AS "updatedAt",
  refused_since AS "refusedSince", refused_detail AS "refusedDetail",
  failing_since AS "failingSince", failing_detail AS "failingDetail",
  COALESCE(verified_credentials = auth_token_encrypted, false) AS "isVerified"
FROM provider_configurations`;

const FIND: Prepared = {
  name: 'find_providers',
  text: `${SELECT} WHERE workspace_id = ANY(${anyLength('$1', 'uuid')})`,
};

const FIND_BY_ID: Prepared = {
  name: 'find_providers_by_id',
  text: `${SELECT} WHERE id = ANY(${anyLength('$1', 'uuid')})`,
};

export function createProviderStore({ prisma, pool }: Database): ProviderStore {
  // Many callbacks at the same time need the same few rows, so concurrent look-ups share a query.
  const createFind = (statement: Prepared, key: 'workspaceId' | 'id') =>
    createBatch<string, StoredProvider | null>({
      maxSize: 500,
      concurrency: 1,
      maxWaiting: 10_000,
      async run(ids) {
        const rows = await runStatement<StoredProvider>(pool, statement, [[...new Set(ids)]]);
        const byKey = new Map(rows.map((row) => [row[key], row]));
        return ids.map((id) => byKey.get(id) ?? null);
      },
    });

  const recordSuccess = createBatch<SealedCredentials, void>({
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 10_000,
    async run(used) {
      // Rows that another process is writing are skipped, which avoids deadlocks.
      await runStatement(
        pool,
        `UPDATE provider_configurations SET refused_since = NULL, refused_detail = NULL,
           probe_at = NULL, probes = 0,
           verified_credentials = auth_token_encrypted
         WHERE workspace_id IN (
           SELECT p.workspace_id FROM provider_configurations p
           JOIN unnest($1::uuid[], $2::text[]) AS u(workspace_id, auth_token_encrypted)
             USING (workspace_id, auth_token_encrypted)
           WHERE p.refused_since IS NOT NULL
             OR p.verified_credentials IS DISTINCT FROM p.auth_token_encrypted
           FOR UPDATE OF p SKIP LOCKED)`,
        [used.map((call) => call.workspaceId), used.map((call) => call.sealedSecret)],
      );
      return used.map(() => undefined);
    },
  });

  return {
    find: createFind(FIND, 'workspaceId'),
    findById: createFind(FIND_BY_ID, 'id'),

    put({ at, ...provider }, by = OPERATOR) {
      const { workspaceId } = provider;
      const fields = {
        type: provider.type,
        account: provider.account,
        sealedSecret: provider.sealedSecret,
        secretLast4: provider.secretLast4,
        senderPool: provider.senderPool,
        onUnknown: provider.onUnknown,
      };
      return prisma.$transaction(async (tx) => {
        const before = await tx.providerConfiguration.findUnique({ where: { workspaceId } });
        const stored = await tx.providerConfiguration.upsert({
          where: { workspaceId },
          create: { ...fields, workspaceId, createdAt: at, updatedAt: at },
          update: {
            ...fields,
            updatedAt: at,
            refusedSince: null,
            refusedDetail: null,
            failingSince: null,
            failingDetail: null,
            probeAt: null,
            probes: 0,
            verifiedCredentials: null,
          },
          omit: { verifiedCredentials: true },
        });
        if (before?.account !== provider.account) await resetInbound(tx, workspaceId);
        await recordAudit(tx, by, {
          workspaceId,
          action: 'provider.set',
          target: provider.account,
          detail: {
            type: provider.type,
            auth_token_last4: provider.secretLast4,
            messaging_service_sid: provider.senderPool,
            on_unknown: provider.onUnknown,
          },
        });
        return { ...stored, isVerified: false };
      });
    },

    remove(workspaceId, by) {
      return prisma.$transaction(async (tx) => {
        const provider = await tx.providerConfiguration.findUnique({ where: { workspaceId } });
        const { count } = await tx.providerConfiguration.deleteMany({ where: { workspaceId } });
        if (provider === null || count === 0) return false;
        await resetInbound(tx, workspaceId);
        const { account, type } = provider;
        await recordAudit(tx, by, {
          workspaceId,
          action: 'provider.deleted',
          target: account,
          detail: { type },
        });
        return true;
      });
    },

    async recordRefusal({ workspaceId, sealedSecret, detail }) {
      await runStatement(
        pool,
        `UPDATE provider_configurations SET refused_since = now(), refused_detail = $3
         WHERE workspace_id = $1::uuid AND auth_token_encrypted = $2 AND refused_since IS NULL`,
        [workspaceId, sealedSecret, detail],
      );
    },
    recordSuccess,
    async recordVerified({ workspaceId, sealedSecret }) {
      await runStatement(
        pool,
        `UPDATE provider_configurations SET verified_credentials = auth_token_encrypted
         WHERE workspace_id = $1::uuid AND auth_token_encrypted = $2
           AND verified_credentials IS DISTINCT FROM auth_token_encrypted`,
        [workspaceId, sealedSecret],
      );
    },

    listSealed: (afterWorkspaceId, limit) =>
      prisma.providerConfiguration.findMany({
        ...(afterWorkspaceId !== null && { where: { workspaceId: { gt: afterWorkspaceId } } }),
        select: { workspaceId: true, sealedSecret: true },
        orderBy: { workspaceId: 'asc' },
        take: limit,
      }),

    async replaceSealed(replacements) {
      const rows = await runStatement(
        pool,
        // Locked in the same order first, so that two concurrent runs can't wait for each other.
        `WITH locked AS (
           SELECT workspace_id FROM provider_configurations
           WHERE workspace_id = ANY($1::uuid[]) ORDER BY workspace_id FOR UPDATE
         )
         UPDATE provider_configurations p SET auth_token_encrypted = r."to",
           verified_credentials = CASE
             WHEN p.verified_credentials = r."from" THEN r."to" ELSE p.verified_credentials END
         FROM locked JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS r(workspace_id, "from", "to")
           USING (workspace_id)
         WHERE p.workspace_id = locked.workspace_id AND p.auth_token_encrypted = r."from"
         RETURNING 1`,
        [
          replacements.map(({ workspaceId }) => workspaceId),
          replacements.map(({ from }) => from),
          replacements.map(({ to }) => to),
        ],
      );
      return rows.length;
    },
  };
}
