import {
  CLOSE_ACCOUNT_DETAILS,
  FACTOR_DETAILS,
  FACTOR_REQUIRED,
  type FactorCode,
  readFactorCode,
  refuse,
  routes,
} from '@switchboard/contracts';
import { AppError, type Clock } from '@switchboard/core';
import {
  createRecoveryCodes,
  createTotpSecret,
  findTotpStep,
  hashRecoveryCode,
  toTotpUri,
  verifyPassword,
} from '@switchboard/credentials';
import type { ActiveSession, SecondFactorStore, UserStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';
import { type SecretBox, ofTotpSecret } from '@switchboard/runtime';
import type { SealSecret } from '../seal-secret.ts';
import type { CheckFactor } from './check-factor.ts';
import { countFailure } from './count-failure.ts';

export interface SecondFactorDependencies {
  users: Pick<UserStore, 'find'>;
  secondFactors: Pick<
    SecondFactorStore,
    'find' | 'begin' | 'confirm' | 'replaceRecoveryCodes' | 'remove'
  >;
  checkFactor: CheckFactor;
  secretBox: Pick<SecretBox, 'open'>;
  sealSecret: SealSecret;
  clock: Clock;
  /** Wrong passwords of one session, as for a change of the password. */
  passwordFailures: FailureLimit;
  /** Wrong codes of one session during the set-up. */
  setUpFailures: FailureLimit;
  /** The name of the installation in authenticator apps. */
  issuer: string;
  sendsMail: boolean;
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

type FactorChange = Parameters<SecondFactorStore['remove']>[0];

type Session = Pick<ActiveSession, 'id' | 'isFresh' | 'user'>;

/** Creates the functions by which users turn their second factor on and off. */
export function createSecondFactor(dependencies: SecondFactorDependencies) {
  const { users, secondFactors, checkFactor, secretBox, sealSecret, clock } = dependencies;
  const { passwordFailures, setUpFailures, issuer, sendsMail } = dependencies;

  const toChange = (session: Session, ip: string): FactorChange => ({
    userId: session.user.id,
    ip,
    notifies: sendsMail,
  });

  /** Returns the user, or null if the password is wrong. */
  async function checkPassword(session: Session, password: string) {
    return countFailure([[passwordFailures, session.id]], async () => {
      const user = await users.find(session.user.id);
      const passwordHash = user?.passwordHash ?? null;
      const isRight = await verifyPassword(passwordHash, password);
      return isRight && user !== null && passwordHash !== null ? { ...user, passwordHash } : null;
    });
  }

  /** Checks what turns the factor off or replaces its recovery codes. The password is first: only then does a wrong code count. */
  async function prove(
    session: Session,
    proof: { password: string; code: string },
    ip: string,
  ): Promise<void> {
    const user = await checkPassword(session, proof.password);
    if (user === null) throw new AppError('invalid_params', FACTOR_DETAILS.wrongPassword);
    const factor = await secondFactors.find(user.id);
    if (factor === null || factor.confirmedAt === null) {
      throw refuse(routes.removeTotp, 'invalid_state');
    }
    const code = readFactorCode(proof.code);
    if (!(await checkFactor({ user, factor, code, ip }))) {
      throw refuse(routes.removeTotp, 'invalid_params');
    }
  }

  return {
    /** Stores a new secret, which does not count yet. */
    async begin(session: Session, password: string | undefined) {
      // The provider of a single sign-on asks for its own factor, and no password could turn ours off again.
      if ((await users.find(session.user.id))?.passwordHash === null) {
        throw new AppError('invalid_state', FACTOR_DETAILS.noPassword);
      }
      if (password === undefined && !session.isFresh) {
        throw refuse(routes.beginTotp, 'missing_params');
      }
      if (password !== undefined && (await checkPassword(session, password)) === null) {
        throw refuse(routes.beginTotp, 'invalid_params');
      }
      const secret = createTotpSecret();
      const { id, email } = session.user;
      const isStored = await secondFactors.begin(id, await sealSecret(secret, id));
      if (!isStored) throw refuse(routes.beginTotp, 'invalid_state');
      return { secret, uri: toTotpUri(secret, { issuer, label: email }) };
    },

    /** Turns the factor on. Returns the recovery codes and the ids of the ended sessions. */
    async confirm(session: Session, code: string, ip: string) {
      const userId = session.user.id;
      const factor = await secondFactors.find(userId);
      if (factor === null || factor.confirmedAt !== null) {
        throw refuse(routes.confirmTotp, 'invalid_state');
      }
      const { sealedSecret } = factor;
      const step = await countFailure([[setUpFailures, session.id]], async () =>
        findTotpStep(secretBox.open(sealedSecret, ofTotpSecret(userId)), code, clock.now()),
      );
      if (step === null) throw refuse(routes.confirmTotp, 'invalid_params');
      const codes = createRecoveryCodes();
      const confirmed = await secondFactors.confirm({
        ...toChange(session, ip),
        sealedSecret,
        step,
        codeHashes: codes.map(hashRecoveryCode),
        keepSessionId: session.id,
      });
      if (confirmed === null) throw refuse(routes.confirmTotp, 'invalid_state');
      return { codes, ...confirmed };
    },

    /**
     * Checks that the person at the session is its user, for a change that cannot be undone: by the password and the second factor,
     * where the user has them, and by a recent sign-in otherwise.
     */
    async proveUser(
      session: Session,
      { password, code }: { password: string | undefined; code: string | undefined },
      { ip, hasPasswords }: { ip: string; hasPasswords: boolean },
    ): Promise<void> {
      const hasPassword = (await users.find(session.user.id))?.passwordHash != null;
      if (!hasPassword || !hasPasswords) {
        if (session.isFresh) return;
        throw refuse(routes.closeAccount, 'forbidden');
      }
      if (password === undefined) throw refuse(routes.closeAccount, 'missing_params');
      const factor = await secondFactors.find(session.user.id);
      if (factor !== null && factor.confirmedAt !== null) {
        if (code === undefined) {
          throw new AppError('missing_params', CLOSE_ACCOUNT_DETAILS.missingCode);
        }
        return prove(session, { password, code }, ip);
      }
      if ((await checkPassword(session, password)) === null) {
        throw refuse(routes.closeAccount, 'invalid_params');
      }
    },

    async createRecoveryCodes(
      session: Session,
      proof: { password: string; code: string },
      ip: string,
    ): Promise<string[]> {
      await prove(session, proof, ip);
      const codes = createRecoveryCodes();
      const hashes = codes.map(hashRecoveryCode);
      if (!(await secondFactors.replaceRecoveryCodes(toChange(session, ip), hashes))) {
        throw refuse(routes.createRecoveryCodes, 'invalid_state');
      }
      return codes;
    },

    async remove(
      session: Session,
      proof: { password: string; code: string },
      ip: string,
    ): Promise<void> {
      await prove(session, proof, ip);
      if (!(await secondFactors.remove(toChange(session, ip)))) {
        throw refuse(routes.removeTotp, 'invalid_state');
      }
    },
  };
}

/** Decides whether a login passes the second factor of its user. */
export function createPassFactor(dependencies: {
  secondFactors: Pick<SecondFactorStore, 'find'>;
  checkFactor: CheckFactor;
}) {
  /**
   * Returns false if the user has none.
   *
   * @throws AppError `unauthorized` without a code, or with a wrong one
   */
  return async function passFactor(login: {
    user: { id: string; passwordHash: string };
    totpCode: string | undefined;
    recoveryCode: string | undefined;
    ip: string;
  }): Promise<boolean> {
    const { user, totpCode, recoveryCode, ip } = login;
    const factor = await dependencies.secondFactors.find(user.id);
    if (factor === null || factor.confirmedAt === null) return false;
    const code = toCode(totpCode, recoveryCode);
    if (code === null) throw new AppError('unauthorized', FACTOR_REQUIRED);
    if (await dependencies.checkFactor({ user, factor, code, ip })) return true;
    throw new AppError(
      'unauthorized',
      code.kind === 'totp' ? FACTOR_DETAILS.wrongTotpCode : FACTOR_DETAILS.wrongRecoveryCode,
    );
  };
}

export type PassFactor = ReturnType<typeof createPassFactor>;

function toCode(totp: string | undefined, recovery: string | undefined): FactorCode | null {
  if (totp !== undefined) return { kind: 'totp', code: totp };
  return recovery === undefined ? null : { kind: 'recovery', code: recovery };
}
