import { type OnUnknown, QUOTAS, createShardedUuid } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { resetInbound } from '../phone-numbers/phone-number-store.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { keepRemovedId, takeRemovedId } from './removed-accounts.ts';
import { replaceDefault } from './replace-default.ts';
import { UNKNOWN_STATE } from './sealed-credentials.ts';

/** Credentials as they are stored. */
export interface StoredCredentials {
  vendorAccountId: string;
  sealedSecret: string;
  secretLast4: string;
  senderPool: string | null;
}

export interface NewProviderAccount extends StoredCredentials {
  workspaceId: string;
  type: string;
  name: string;
  onUnknown: OnUnknown;
  isEnabled: boolean;
  /** ISO 3166 alpha-2; null for the workspace's. */
  country?: string | null;
  at: Date;
}

export interface ProviderAccountChange {
  name?: string;
  onUnknown?: OnUnknown;
  isEnabled?: boolean;
  country?: string | null;
  isDefault?: true;
  credentials?: StoredCredentials;
}

/** The provider accounts of workspaces. If a workspace has any, one of them is the default. */
export interface ProviderAccountStore {
  /** Creates an account, with its former id if it was removed before. The first one becomes the default. */
  create(
    account: NewProviderAccount,
    by: Actor,
  ): Promise<{ id: string } | 'exists' | 'quota_exceeded'>;
  /** Changes an account. `exists`: another account of the workspace has these credentials. */
  update(
    workspaceId: string,
    id: string,
    change: ProviderAccountChange & { at: Date },
    by: Actor,
  ): Promise<'changed' | 'missing' | 'exists'>;
  /**
   * Deletes an account, or the default one if `id` is null. The oldest remaining account replaces a default.
   * `in_use`: other accounts remain, and senders or routing rules name this one.
   */
  remove(
    workspaceId: string,
    id: string | null,
    by: Actor,
  ): Promise<'removed' | 'missing' | 'in_use'>;
}

export function createProviderAccountStore({
  prisma,
}: Pick<Database, 'prisma'>): ProviderAccountStore {
  return {
    create({ workspaceId, at, isEnabled: enabled, ...fields }, by) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const present = await tx.providerAccount.findMany({ where: { workspaceId } });
        if (present.some((other) => other.vendorAccountId === fields.vendorAccountId))
          return 'exists';
        if (present.length >= QUOTAS.providersPerWorkspace) return 'quota_exceeded';
        const former = await takeRemovedId(tx, { workspaceId, ...fields });
        const id = former ?? createShardedUuid(at.getTime());
        const data = { ...fields, id, workspaceId, enabled, createdAt: at, updatedAt: at };
        const isDefault = !present.some((account) => account.isDefault);
        await tx.providerAccount.create({ data: { ...data, isDefault } });
        await audit(tx, by, { workspaceId, id, ...fields, enabled });
        return { id };
      });
    },

    update(workspaceId, id, { at, credentials, isDefault, isEnabled, ...change }, by) {
      return prisma.$transaction(async (tx) => {
        await lockAccounts(tx, workspaceId);
        const present = await tx.providerAccount.findMany({ where: { workspaceId } });
        const before = present.find((account) => account.id === id);
        if (before === undefined) return 'missing';
        const isTaken = (vendorAccountId: string) =>
          present.some((other) => other.id !== id && other.vendorAccountId === vendorAccountId);
        if (credentials !== undefined && isTaken(credentials.vendorAccountId)) return 'exists';
        const data = {
          ...change,
          ...(isEnabled !== undefined && { enabled: isEnabled }),
          ...(credentials !== undefined && { ...credentials, ...UNKNOWN_STATE }),
          updatedAt: at,
        };
        await tx.providerAccount.updateMany({ where: { workspaceId, id }, data });
        // With other settings, their messages may be found.
        if (credentials !== undefined) await searchAgain(tx, workspaceId, id);
        if (credentials !== undefined && credentials.vendorAccountId !== before.vendorAccountId) {
          await resetInbound(tx, before);
        }
        if (isDefault === true && !before.isDefault) {
          await replaceDefault(tx, before);
        }
        await audit(tx, by, { ...before, ...data });
        return 'changed';
      });
    },

    remove(workspaceId, which, by) {
      return prisma.$transaction(async (tx) => {
        await lockAccounts(tx, workspaceId);
        const present = await tx.providerAccount.findMany({
          where: { workspaceId },
          orderBy: { id: 'asc' },
        });
        const found = present.find(({ id, isDefault }) =>
          which === null ? isDefault : id === which,
        );
        if (found === undefined) return 'missing';
        const { id, vendorAccountId, type, isDefault } = found;
        const next = present.find((other) => other.id !== id);
        if (next !== undefined && (await isInUse(tx, found))) return 'in_use';
        await resetInbound(tx, found);
        // The numbers wait for the next account.
        await tx.phoneNumber.updateMany({
          where: { workspaceId, providerId: id },
          data: { providerId: null },
        });
        await tx.providerProblem.deleteMany({ where: { workspaceId, providerId: id } });
        await tx.providerAccount.deleteMany({ where: { workspaceId, id } });
        await keepRemovedId(tx, found);
        if (isDefault && next !== undefined) await replaceDefault(tx, next);
        await recordAudit(tx, by, {
          workspaceId,
          action: 'provider.deleted',
          target: vendorAccountId,
          detail: { type },
        });
        return 'removed';
      });
    },
  };
}

/** Makes the search for the messages of all kept callbacks of an account due. */
async function searchAgain(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  providerId: string,
): Promise<void> {
  await tx.unmatchedCallback.updateMany({
    where: { workspaceId, providerId, matchAt: { not: null } },
    data: { matchAt: new Date(0) },
  });
}

/** Locks the accounts before their numbers, as all transactions that write both do. */
async function lockAccounts(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  await tx.$queryRaw`SELECT 1 FROM provider_accounts WHERE workspace_id = ${workspaceId}::uuid
    ORDER BY id FOR UPDATE`;
}

async function isInUse(
  tx: Prisma.TransactionClient,
  { workspaceId, id, isDefault }: { workspaceId: string; id: string; isDefault: boolean },
): Promise<boolean> {
  const owners = isDefault ? [{ providerId: id }, { providerId: null }] : [{ providerId: id }];
  const senders = await tx.phoneNumber.count({ where: { workspaceId, OR: owners } });
  if (senders > 0) return true;
  const routing = await tx.workspaceRouting.findUnique({ where: { workspaceId } });
  return JSON.stringify(routing?.rules ?? []).includes(id);
}

async function audit(
  tx: Prisma.TransactionClient,
  by: Actor,
  account: Omit<NewProviderAccount, 'at' | 'isEnabled'> & { id: string; enabled: boolean },
): Promise<void> {
  await recordAudit(tx, by, {
    workspaceId: account.workspaceId,
    action: 'provider.set',
    target: account.vendorAccountId,
    detail: {
      provider_id: account.id,
      type: account.type,
      name: account.name,
      secret_last4: account.secretLast4,
      on_unknown: account.onUnknown,
      enabled: account.enabled,
      ...(account.country != null && { country: account.country }),
    },
  });
}
