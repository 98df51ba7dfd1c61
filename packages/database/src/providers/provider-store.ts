import { createBatch } from '@switchboard/core';
import type { OnUnknown } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';

export interface StoredProvider {
  workspaceId: string;
  type: string;
  accountSid: string;
  authTokenEncrypted: string;
  authTokenLast4: string;
  messagingServiceSid: string | null;
  onUnknown: OnUnknown;
  createdAt: Date;
  updatedAt: Date;
}

/** Each workspace's account at its provider. */
export interface ProviderStore {
  find(workspaceId: string): Promise<StoredProvider | null>;
  put(
    provider: Omit<StoredProvider, 'createdAt' | 'updatedAt'> & { at: Date },
  ): Promise<StoredProvider>;
}

export function createProviderStore({ prisma, pool }: Database): ProviderStore {
  // A storm of callbacks asks for the same few rows: look-ups of one moment share a query.
  const find = createBatch<string, StoredProvider | null>({
    maxSize: 500,
    concurrency: 4,
    maxWaiting: 10_000,
    async run(ids) {
      const rows = await runStatement<StoredProvider>(
        pool,
        `SELECT workspace_id AS "workspaceId", type, account_sid AS "accountSid",
           auth_token_encrypted AS "authTokenEncrypted", auth_token_last4 AS "authTokenLast4",
           messaging_service_sid AS "messagingServiceSid", on_unknown AS "onUnknown",
           created_at AS "createdAt", updated_at AS "updatedAt"
         FROM provider_configurations WHERE workspace_id = ANY($1::uuid[])`,
        [[...new Set(ids)]],
      );
      const byId = new Map(rows.map((row) => [row.workspaceId, row]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });

  return {
    find,
    put({ at, ...provider }) {
      const { workspaceId, ...fields } = provider;
      return prisma.providerConfiguration.upsert({
        where: { workspaceId },
        create: { ...provider, createdAt: at, updatedAt: at },
        update: { ...fields, updatedAt: at },
      });
    },
  };
}
