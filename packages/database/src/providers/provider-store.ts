import { type NumberHome, type OnUnknown, createBatch, createShardedUuid } from '@switchboard/core';
import { anyLength } from '../array-parameter.ts';
import { type Actor, OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { resetInbound } from '../phone-numbers/phone-number-store.ts';
import type { Page, PageRequest } from '../list-page.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { NUMBER_HOME } from './number-home.ts';
import { takeRemovedId } from './removed-accounts.ts';
import { END_REFUSAL, createRecordSuccess } from './record-success.ts';
import { type SealedCredentials, UNKNOWN_STATE } from './sealed-credentials.ts';

export interface StoredProvider {
  id: string;
  name: string;
  /** False if its owner has disabled it. */
  isEnabled: boolean;
  isDefault: boolean;
  workspaceId: string;
  type: string;
  vendorAccountId: string;
  sealedSecret: string;
  secretLast4: string;
  senderPool: string | null;
  onUnknown: OnUnknown;
  /** ISO 3166 alpha-2; null for the workspace's. */
  country: string | null;
  /** How the numbers that the provider reports are read. */
  home?: NumberHome;
  /** Its workspace was closed: it receives no messages any more. */
  isClosed?: boolean;
  createdAt: Date;
  updatedAt: Date;
  /**
   * When the provider began to refuse the credentials, and its error; null while it accepts them.
   */
  refusedSince: Date | null;
  refusedDetail: string | null;
  /**
   * Whether the provider has accepted these credentials. Until then, the account is not proven to
   * be the workspace's, and nothing signed with its token is evidence.
   */
  isVerified: boolean;
  /** When the circuit breaker opened, and the latest error; null while it is closed. */
  failingSince: Date | null;
  failingDetail: string | null;
}

/** The default provider account of each workspace, and what calls report about any account. */
export interface ProviderStore {
  find(workspaceId: string): Promise<StoredProvider | null>;
  /** Lists all accounts of a workspace in the order of their ids. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredProvider>>;
  listOfType(workspaceId: string, type: string): Promise<StoredProvider[]>;
  /** Finds any account. */
  findById(id: string): Promise<StoredProvider | null>;
  /**
   * Stores credentials of the default account; `exists`: another account has them. New ones are used
   * until the provider refuses them, and are verified when it has accepted them. If the account is a
   * different one, the URLs of its numbers are reset.
   */
  put(
    provider: Omit<
      StoredProvider,
      | 'id'
      | 'name'
      | 'isEnabled'
      | 'isDefault'
      | 'createdAt'
      | 'updatedAt'
      | 'refusedSince'
      | 'refusedDetail'
      | 'failingSince'
      | 'failingDetail'
      | 'isVerified'
      | 'country'
      | 'home'
      | 'isClosed'
    > & { at: Date },
    by?: Actor,
  ): Promise<StoredProvider | 'exists'>;

  /**
   * Records that the provider refused the credentials of a call. Does not change newer credentials.
   * Keeps the time of the first of consecutive refusals.
   */
  recordRefusal(refused: SealedCredentials & { detail: string }): Promise<void>;
  /**
   * Marks the account as verified, because the provider has accepted the credentials. Concurrent
   * calls share a query, which writes only changes.
   */
  recordSuccess(used: SealedCredentials): Promise<void>;
  /** Ends a recorded refusal of the credentials, without marking the account as verified. */
  endRefusal(used: SealedCredentials): Promise<void>;
  /**
   * Marks the account as verified after the provider has accepted the credentials for a request
   * that sends nothing. A recorded refusal of sends stays.
   */
  recordVerified(used: SealedCredentials): Promise<void>;

  /**
   * Lists the next credentials in the order of their ids, so that all of them can be sealed again.
   */
  listSealed(
    afterId: string | null,
    limit: number,
  ): Promise<(SealedCredentials & { id: string })[]>;
  /** Replaces texts that are still equal to `from`, and returns their number. */
  replaceSealed(
    replacements: readonly { workspaceId: string; from: string; to: string }[],
  ): Promise<number>;
}

/** The select list of a `StoredProvider`. */
const SELECT = `
SELECT id, workspace_id AS "workspaceId", type, vendor_account_id AS "vendorAccountId",
  sealed_secret AS "sealedSecret", secret_last4 AS "secretLast4",
  sender_pool AS "senderPool", on_unknown AS "onUnknown",
  created_at AS "createdAt", updated_at AS "updatedAt",
  refused_since AS "refusedSince", refused_detail AS "refusedDetail",
  failing_since AS "failingSince", failing_detail AS "failingDetail",
  COALESCE(verified_credentials = sealed_secret, false) AS "isVerified", name, enabled AS "isEnabled",
  is_default AS "isDefault", country, ${NUMBER_HOME} AS home, (
    SELECT w.closed_at IS NOT NULL FROM workspaces w WHERE w.id = p.workspace_id) AS "isClosed"`;

const FIND: Prepared = {
  name: 'find_providers',
  text: `${SELECT} FROM provider_accounts p
    WHERE workspace_id = ANY(${anyLength('$1', 'uuid')}) AND is_default`,
};

const LIST: Prepared = {
  name: 'list_providers',
  text: `${SELECT} FROM provider_accounts p
    WHERE workspace_id = ANY(${anyLength('$1', 'uuid')}) ORDER BY id`,
};

const FIND_BY_ID: Prepared = {
  name: 'find_providers_by_id',
  text: `${SELECT} FROM provider_accounts p WHERE id = ANY(${anyLength('$1', 'uuid')})`,
};

export function createProviderStore({ prisma, pool }: Database): ProviderStore {
  // Many callbacks at the same time need the same few rows, so concurrent lookups share a query.
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

  const listAll = createBatch<string, StoredProvider[]>({
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 10_000,
    async run(workspaceIds) {
      const ids = [...new Set(workspaceIds)];
      const rows = await runStatement<StoredProvider>(pool, LIST, [ids]);
      return workspaceIds.map((id) => rows.filter(({ workspaceId }) => workspaceId === id));
    },
  });

  return {
    find: createFind(FIND, 'workspaceId'),
    findById: createFind(FIND_BY_ID, 'id'),

    async listOfType(workspaceId, type) {
      return (await listAll(workspaceId)).filter((provider) => provider.type === type);
    },

    // A quota limits the number of accounts.
    async list(workspaceId, { number, size }) {
      const rows = await listAll(workspaceId);
      const skipped = (number - 1) * size;
      return { items: rows.slice(skipped, skipped + size), total: rows.length };
    },

    put({ at, ...provider }, by = OPERATOR) {
      const { workspaceId } = provider;
      const fields = {
        type: provider.type,
        vendorAccountId: provider.vendorAccountId,
        sealedSecret: provider.sealedSecret,
        secretLast4: provider.secretLast4,
        senderPool: provider.senderPool,
        onUnknown: provider.onUnknown,
      };
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const present = await tx.providerAccount.findMany({ where: { workspaceId } });
        const before = present.find(({ isDefault }) => isDefault);
        const { vendorAccountId } = provider;
        const isTaken = present.some(
          (other) => other !== before && other.vendorAccountId === vendorAccountId,
        );
        if (isTaken) return 'exists';
        const omit = { verifiedCredentials: true } as const;
        const stored =
          before === undefined
            ? await tx.providerAccount.create({
                data: {
                  ...fields,
                  id: (await takeRemovedId(tx, provider)) ?? createShardedUuid(at.getTime()),
                  workspaceId,
                  isDefault: true,
                  createdAt: at,
                  updatedAt: at,
                },
                omit,
              })
            : await tx.providerAccount.update({
                where: { workspaceId_id: { workspaceId, id: before.id } },
                data: { ...fields, ...UNKNOWN_STATE, updatedAt: at },
                omit,
              });
        if (before?.vendorAccountId !== vendorAccountId) await resetInbound(tx, stored);
        await recordAudit(tx, by, {
          workspaceId,
          action: 'provider.set',
          target: vendorAccountId,
          detail: {
            type: provider.type,
            auth_token_last4: provider.secretLast4,
            messaging_service_sid: provider.senderPool,
            on_unknown: provider.onUnknown,
          },
        });
        return { ...stored, isEnabled: stored.enabled, isVerified: false };
      });
    },

    async recordRefusal({ workspaceId, sealedSecret, detail }) {
      await runStatement(
        pool,
        `UPDATE provider_accounts SET refused_since = now(), refused_detail = $3
         WHERE workspace_id = $1::uuid AND sealed_secret = $2 AND refused_since IS NULL`,
        [workspaceId, sealedSecret, detail],
      );
    },
    async endRefusal({ workspaceId, sealedSecret }) {
      await runStatement(
        pool,
        `UPDATE provider_accounts SET ${END_REFUSAL}
         WHERE workspace_id = $1::uuid AND sealed_secret = $2 AND refused_since IS NOT NULL`,
        [workspaceId, sealedSecret],
      );
    },
    recordSuccess: createRecordSuccess(pool),
    async recordVerified({ workspaceId, sealedSecret }) {
      await runStatement(
        pool,
        `UPDATE provider_accounts SET verified_credentials = sealed_secret
         WHERE workspace_id = $1::uuid AND sealed_secret = $2
           AND verified_credentials IS DISTINCT FROM sealed_secret`,
        [workspaceId, sealedSecret],
      );
    },

    listSealed: (afterId, limit) =>
      prisma.providerAccount.findMany({
        ...(afterId !== null && { where: { id: { gt: afterId } } }),
        select: { id: true, workspaceId: true, sealedSecret: true },
        orderBy: { id: 'asc' },
        take: limit,
      }),

    async replaceSealed(replacements) {
      const rows = await runStatement(
        pool,
        // Locked in the same order first, so that two concurrent runs can't wait for each other.
        `WITH locked AS (
           SELECT id, workspace_id FROM provider_accounts
           WHERE workspace_id = ANY($1::uuid[]) ORDER BY id FOR UPDATE
         )
         UPDATE provider_accounts p SET sealed_secret = r."to",
           verified_credentials = CASE
             WHEN p.verified_credentials = r."from" THEN r."to" ELSE p.verified_credentials END
         FROM locked JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS r(workspace_id, "from", "to")
           USING (workspace_id)
         WHERE p.workspace_id = locked.workspace_id AND p.id = locked.id AND p.sealed_secret = r."from"
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
