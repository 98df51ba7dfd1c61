import type { Prisma } from '../generated/client.ts';
import { type SecondFactorNotice, enqueueMail } from '../mails/enqueue-mail.ts';
import { type AccountDatabase, changeAccount } from './account-changes.ts';
import { endOtherSessions } from './end-other-sessions.ts';

/** A factor whose set-up is not finished after this time must be set up again. */
const SET_UP_MINUTES = 60;

export interface StoredSecondFactor {
  sealedSecret: string;
  /** Null while it is being set up. Until then, it does not count. */
  confirmedAt: Date | null;
  recoveryCodesLeft: number;
}

/** Who changes a factor, for the audit trail and the mail. */
export interface FactorChange {
  userId: string;
  /** The client's address. */
  ip: string;
  /** Whether the user receives a mail about it. */
  notifies: boolean;
}

/** The authenticator app of a user, and the recovery codes that replace it. A user has at most one. */
export interface SecondFactorStore {
  find(userId: string): Promise<StoredSecondFactor | null>;
  /** Returns those of the users who have a confirmed factor. */
  findUsersWith(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores the secret of a factor that is being set up. Returns false if the user has a confirmed one. */
  begin(userId: string, sealedSecret: string): Promise<boolean>;
  /**
   * Makes the factor count, stores the recovery codes, ends the other sessions and returns their ids. Returns null if another
   * set-up has begun, or this one is finished or too old.
   */
  confirm(
    change: FactorChange & {
      sealedSecret: string;
      /** The time step of the code, which is thereby used. */
      step: number;
      codeHashes: readonly Buffer[];
      keepSessionId: string;
    },
  ): Promise<{ endedSessionIds: string[] } | null>;
  /** Uses the code of a time step. Returns false if it, or one of a later step, was used before. */
  acceptStep(userId: string, sealedSecret: string, step: number): Promise<boolean>;
  /** Uses a recovery code. Returns false if there is none. */
  useRecoveryCode(change: FactorChange, codeHash: Buffer): Promise<boolean>;
  /** Replaces all recovery codes. Returns false without a confirmed factor. */
  replaceRecoveryCodes(change: FactorChange, codeHashes: readonly Buffer[]): Promise<boolean>;
  /** Removes the factor and its recovery codes. Returns false if there is none. */
  remove(change: FactorChange): Promise<boolean>;
  /** Removes the factor of a user who has lost it. */
  removeByOperator(email: string): Promise<'removed' | 'none' | 'unknown'>;
  /** Warns the user by mail that someone has the password and guesses codes. */
  notifyOfFailures(userId: string): Promise<void>;
}

export function createSecondFactorStore(database: AccountDatabase): SecondFactorStore {
  const { prisma } = database;
  return {
    async find(userId) {
      const found = await prisma.secondFactor.findUnique({
        where: { userId },
        select: { sealedSecret: true, confirmedAt: true, _count: { select: { codes: true } } },
      });
      if (found === null) return null;
      const { sealedSecret, confirmedAt, _count } = found;
      return { sealedSecret, confirmedAt, recoveryCodesLeft: _count.codes };
    },

    async findUsersWith(userIds) {
      const found = await prisma.secondFactor.findMany({
        where: { userId: { in: [...userIds] }, confirmedAt: { not: null } },
        select: { userId: true },
      });
      return new Set(found.map(({ userId }) => userId));
    },

    async begin(userId, sealedSecret) {
      const stored = await prisma.$queryRaw<unknown[]>`
        INSERT INTO second_factors AS f (user_id, sealed_secret)
        VALUES (${userId}::uuid, ${sealedSecret})
        ON CONFLICT (user_id) DO UPDATE
          SET sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
          WHERE f.confirmed_at IS NULL
        RETURNING 1`;
      return stored.length === 1;
    },

    confirm({ sealedSecret, step, codeHashes, keepSessionId, ...change }) {
      const { userId } = change;
      return changeAccount(database, { id: userId }, async (tx, record) => {
        // A login locks the same row before it checks that the user has no factor.
        await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
        const count = await tx.$executeRaw`
          UPDATE second_factors SET confirmed_at = now(), last_step = ${step}
          WHERE user_id = ${userId}::uuid AND sealed_secret = ${sealedSecret} AND confirmed_at IS NULL
            AND created_at > now() - ${SET_UP_MINUTES}::int * interval '1 minute'`;
        if (count === 0) return null;
        await tx.recoveryCode.createMany({ data: toRows(userId, codeHashes) });
        const endedSessionIds = await endOtherSessions(tx, userId, keepSessionId);
        await notify(tx, change, 'second_factor_enabled');
        await record(userId, 'member.second_factor_enabled', { ip: change.ip });
        return { endedSessionIds };
      });
    },

    async acceptStep(userId, sealedSecret, step) {
      // One statement, so that of several logins at the same time only one passes.
      const count = await prisma.$executeRaw`
        UPDATE second_factors SET last_step = ${step}
        WHERE user_id = ${userId}::uuid AND sealed_secret = ${sealedSecret}
          AND confirmed_at IS NOT NULL AND last_step < ${step}`;
      return count === 1;
    },

    useRecoveryCode(change, codeHash) {
      const { userId, ip } = change;
      return changeAccount(database, { id: userId }, async (tx, record) => {
        const { count } = await tx.recoveryCode.deleteMany({
          where: {
            userId,
            codeHash: new Uint8Array(codeHash),
            factor: { confirmedAt: { not: null } },
          },
        });
        if (count === 0) return false;
        await notify(tx, change, 'recovery_code_used');
        await record(userId, 'member.recovery_code_used', { ip });
        return true;
      });
    },

    replaceRecoveryCodes(change, codeHashes) {
      const { userId, ip } = change;
      return changeAccount(database, { id: userId }, async (tx, record) => {
        // The lock makes concurrent replacements run one after another.
        const [factor] = await tx.$queryRaw<unknown[]>`
          SELECT 1 FROM second_factors WHERE user_id = ${userId}::uuid AND confirmed_at IS NOT NULL
          FOR NO KEY UPDATE`;
        if (factor === undefined) return false;
        await tx.recoveryCode.deleteMany({ where: { userId } });
        await tx.recoveryCode.createMany({ data: toRows(userId, codeHashes) });
        await notify(tx, change, 'recovery_codes_created');
        await record(userId, 'member.recovery_codes_created', { ip });
        return true;
      });
    },

    remove(change) {
      const { userId, ip } = change;
      return changeAccount(database, { id: userId }, async (tx, record) => {
        if (!(await remove(tx, userId))) return false;
        await notify(tx, change, 'second_factor_disabled');
        await record(userId, 'member.second_factor_disabled', { ip });
        return true;
      });
    },

    removeByOperator: (email) =>
      changeAccount(database, { email }, async (tx, record) => {
        const user = await tx.user.findUnique({ where: { email }, select: { id: true } });
        if (user === null) return 'unknown';
        if (!(await remove(tx, user.id))) return 'none';
        // Without a mail server, the request for the mail expires.
        await notify(tx, { userId: user.id, notifies: true }, 'second_factor_disabled');
        await record(user.id, 'member.second_factor_removed', 'operator', { email });
        return 'removed';
      }),

    notifyOfFailures: (userId) =>
      prisma.$transaction((tx) => notify(tx, { userId, notifies: true }, 'second_factor_failures')),
  };
}

async function remove(tx: Prisma.TransactionClient, userId: string): Promise<boolean> {
  const where = { userId, confirmedAt: { not: null } };
  return (await tx.secondFactor.deleteMany({ where })).count === 1;
}

async function notify(
  tx: Prisma.TransactionClient,
  { userId, notifies }: Pick<FactorChange, 'userId' | 'notifies'>,
  kind: SecondFactorNotice,
): Promise<void> {
  if (!notifies) return;
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } });
  if (user !== null) await enqueueMail(tx, { kind, recipient: user.email, userId });
}

function toRows(userId: string, codeHashes: readonly Buffer[]) {
  return codeHashes.map((codeHash) => ({ userId, codeHash: new Uint8Array(codeHash) }));
}
