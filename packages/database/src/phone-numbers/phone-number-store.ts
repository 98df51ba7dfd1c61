import { QUOTAS, type SenderKind, readSenderKind } from '@switchboard/core';
import { type Actor, OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import { IS_SENDER_OF_ACCOUNT } from './sender-account.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredPhoneNumber {
  id: string;
  number: string;
  label: string;
  isDefault: boolean;
  capabilities: string[];
  createdAt: Date;
  /** The provider account that it belongs to; null for the default one. */
  providerId: string | null;
  kind: SenderKind;
  /**
   * The URL that the workspace's account has for the number's inbound messages; null if none was
   * set, empty if the provider's list of numbers shows another URL.
   */
  inboundUrl: string | null;
}

type NewPhoneNumber = Omit<
  StoredPhoneNumber,
  'isDefault' | 'inboundUrl' | 'providerId' | 'kind'
> & {
  isDefault?: boolean;
  /** Default: the default account. */
  providerId?: string | null;
  /** Default: the kind that the format of the number implies. */
  kind?: SenderKind;
};

/** The account that the record of a sender names. */
export interface SenderAccount {
  workspaceId: string;
  id: string;
  isDefault: boolean;
}

/** The numbers from which a workspace sends. If it has any, exactly one of them is the default. */
export interface PhoneNumberStore {
  /** Lists the numbers in the order in which they were added, or only the given one if the workspace has it. */
  list(workspaceId: string, page: PageRequest, number?: string): Promise<Page<StoredPhoneNumber>>;
  find(workspaceId: string, id: string): Promise<StoredPhoneNumber | null>;
  /** Finds which of the numbers the workspace has, and returns the id of each. */
  findIds(workspaceId: string, numbers: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Creates a number. The first one always becomes the default. `unknown_provider`: the workspace does
   * not have the account.
   */
  create(
    workspaceId: string,
    number: NewPhoneNumber,
    by?: Actor,
  ): Promise<StoredPhoneNumber | 'exists' | 'quota_exceeded' | 'unknown_provider'>;
  /**
   * Changes a number. `needs_default`: a number stops being the default only when another number
   * becomes the default.
   */
  update(
    workspaceId: string,
    id: string,
    change: { label?: string; isDefault?: boolean; providerId?: string },
    by: Actor,
  ): Promise<StoredPhoneNumber | 'missing' | 'needs_default' | 'unknown_provider'>;
  /**
   * Deletes a number. The oldest remaining one replaces a default. Returns false if there is no such
   * number.
   */
  remove(workspaceId: string, id: string, by: Actor): Promise<boolean>;

  /**
   * Lists the numbers of an account whose inbound messages are not sent to `url`, in the order in which
   * they were added.
   */
  listWithoutInboundUrl(account: SenderAccount, url: string): Promise<StoredPhoneNumber[]>;
  /**
   * Records the URL that an account has for a number, unless the workspace's account has changed.
   */
  recordInbound(
    number: { workspaceId: string; id: string; vendorAccountId: string },
    url: string | null,
  ): Promise<void>;
}

const omit = { workspaceId: true, inboundSince: true, inboundReadUntil: true } as const;
const oldestFirst = { id: 'asc' } as const;

export function createPhoneNumberStore({
  prisma,
  pool,
}: Pick<Database, 'prisma' | 'pool'>): PhoneNumberStore {
  return {
    list(workspaceId, page, number) {
      const where = { workspaceId, ...(number !== undefined && { number }) };
      return listPage(
        page,
        () => prisma.phoneNumber.count({ where }),
        async (range) => {
          const rows = await prisma.phoneNumber.findMany({
            ...range,
            where,
            omit,
            orderBy: oldestFirst,
          });
          return rows.map(toStored);
        },
      );
    },

    async find(workspaceId, id) {
      const row = await prisma.phoneNumber.findFirst({ where: { workspaceId, id }, omit });
      return row === null ? null : toStored(row);
    },

    async findIds(workspaceId, numbers) {
      const rows = await prisma.phoneNumber.findMany({
        where: { workspaceId, number: { in: [...numbers] } },
        select: { id: true, number: true },
      });
      return new Map(rows.map(({ id, number }) => [number, id]));
    },

    create(workspaceId, { isDefault: requested = false, kind: given, ...number }, by = OPERATOR) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const { number: e164 } = number;
        if ((await tx.phoneNumber.count({ where: { workspaceId, number: e164 } })) > 0) {
          return 'exists';
        }
        if (!(await hasProvider(tx, workspaceId, number.providerId))) return 'unknown_provider';
        const present = await tx.phoneNumber.count({ where: { workspaceId } });
        if (present >= QUOTAS.numbersPerWorkspace) return 'quota_exceeded';
        const isFirst = present === 0;
        const isDefault = requested || isFirst;
        if (isDefault) await unsetDefault(tx, workspaceId);
        const created = await tx.phoneNumber.create({
          data: {
            ...number,
            kind: given ?? readSenderKind(e164) ?? 'long_code',
            workspaceId,
            isDefault,
          },
          omit,
        });
        const detail = {
          number: e164,
          label: number.label,
          is_default: isDefault,
          ...(created.providerId !== null && { provider_id: created.providerId }),
        };
        await recordAudit(tx, by, {
          workspaceId,
          action: 'number.added',
          target: number.id,
          detail,
        });
        return toStored(created);
      });
    },

    update(workspaceId, id, { label, isDefault, providerId }, by) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const number = await tx.phoneNumber.findFirst({ where: { workspaceId, id }, omit });
        if (number === null) return 'missing';
        if (!(await hasProvider(tx, workspaceId, providerId))) return 'unknown_provider';
        if (isDefault === false && number.isDefault) return 'needs_default';
        const changed = {
          ...(label !== undefined && label !== number.label && { label }),
          ...(isDefault === true && !number.isDefault && { isDefault }),
          // The new account has not been configured to send us the inbound messages for the number.
          ...(providerId !== undefined &&
            providerId !== number.providerId && { providerId, ...NO_INBOUND }),
        };
        if (Object.keys(changed).length === 0) return toStored(number);
        if (changed.isDefault === true) await unsetDefault(tx, workspaceId);
        await tx.phoneNumber.updateMany({ where: { workspaceId, id }, data: changed });
        await recordAudit(tx, by, {
          workspaceId,
          action: 'number.changed',
          target: id,
          detail: {
            number: number.number,
            ...(changed.label !== undefined && { label: changed.label }),
            ...(changed.isDefault === true && { is_default: true }),
            ...(changed.providerId !== undefined && { provider_id: changed.providerId }),
          },
        });
        return toStored({ ...number, ...changed });
      });
    },

    remove(workspaceId, id, by) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const number = await tx.phoneNumber.findFirst({ where: { workspaceId, id }, omit });
        if (number === null) return false;
        await tx.phoneNumber.deleteMany({ where: { workspaceId, id } });
        if (number.isDefault) await promoteOldest(tx, workspaceId);
        const detail = { number: number.number };
        await recordAudit(tx, by, { workspaceId, action: 'number.deleted', target: id, detail });
        return true;
      });
    },

    async listWithoutInboundUrl(account, url) {
      const rows = await prisma.phoneNumber.findMany({
        where: {
          AND: [ofAccount(account), { OR: [{ inboundUrl: null }, { inboundUrl: { not: url } }] }],
        },
        omit,
        orderBy: oldestFirst,
      });
      return rows.map(toStored);
    },

    async recordInbound(number, url) {
      await runStatement(pool, ...named(RECORD_INBOUND, { ...number, url }));
    },
  };
}

// The lock excludes a concurrent change of the account, which resets the URLs: it happens
// completely before or after this.
const RECORD_INBOUND = `UPDATE phone_numbers n SET inbound_url = :url::text,
     inbound_since = CASE WHEN :url::text IS NOT NULL THEN COALESCE(n.inbound_since, now()) END,
     inbound_read_until = CASE WHEN :url::text IS NOT NULL THEN n.inbound_read_until END
   FROM (SELECT workspace_id, id, is_default FROM provider_accounts
         WHERE workspace_id = :workspaceId::uuid AND vendor_account_id = :vendorAccountId FOR SHARE) p
   WHERE ${IS_SENDER_OF_ACCOUNT} AND n.id = :id::uuid`;

const NO_INBOUND = { inboundUrl: null, inboundSince: null, inboundReadUntil: null };

/**
 * Resets the inbound URLs of an account's numbers, because its credentials now name another
 * account.
 */
export async function resetInbound(
  tx: Prisma.TransactionClient,
  account: SenderAccount,
): Promise<void> {
  await lockWorkspace(tx, account.workspaceId);
  await tx.phoneNumber.updateMany({ where: ofAccount(account), data: NO_INBOUND });
}

function ofAccount({ workspaceId, id, isDefault }: SenderAccount) {
  const ids = isDefault ? [{ providerId: id }, { providerId: null }] : [{ providerId: id }];
  return { workspaceId, OR: ids };
}

async function hasProvider(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  id: string | null | undefined,
): Promise<boolean> {
  if (id == null) return true;
  return (await tx.providerAccount.count({ where: { workspaceId, id } })) > 0;
}

function toStored(row: Omit<StoredPhoneNumber, 'kind'> & { kind: string }): StoredPhoneNumber {
  return { ...row, kind: row.kind as SenderKind };
}

async function unsetDefault(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  await tx.phoneNumber.updateMany({
    where: { workspaceId, isDefault: true },
    data: { isDefault: false },
  });
}

async function promoteOldest(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  const oldest = await tx.phoneNumber.findFirst({
    where: { workspaceId },
    orderBy: oldestFirst,
    select: { id: true },
  });
  if (oldest !== null) {
    await tx.phoneNumber.updateMany({
      where: { workspaceId, id: oldest.id },
      data: { isDefault: true },
    });
  }
}
