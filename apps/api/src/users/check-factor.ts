import { FACTOR_DETAILS, type FactorCode } from '@switchboard/contracts';
import { AppError, type Clock } from '@switchboard/core';
import { findTotpStep, hashRecoveryCode, hashToken } from '@switchboard/credentials';
import type { SecondFactorStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';
import { type SecretBox, ofTotpSecret } from '@switchboard/runtime';
import { toClientNetwork } from '../auth/client-network.ts';
import { countFailure } from './count-failure.ts';

/** Wrong codes of an authenticator app that an account is allowed in a day. */
export const CODES_PER_DAY = 50;

export interface CheckFactorDependencies {
  secondFactors: Pick<SecondFactorStore, 'acceptStep' | 'useRecoveryCode' | 'notifyOfFailures'>;
  secretBox: Pick<SecretBox, 'open'>;
  clock: Clock;
  /** Wrong codes of one account from one address. */
  pairFailures: FailureLimit;
  /** Wrong codes from one address, whatever the account. */
  clientFailures: FailureLimit;
  /**
   * Wrong codes of an authenticator app for one account from anywhere, `CODES_PER_DAY`. Only who knows the password can use
   * it up, and a new password begins a new count. Recovery codes are too long to guess, and do not count.
   */
  accountFailures: FailureLimit;
  sendsMail: boolean;
}

export interface FactorCheck {
  user: { id: string; passwordHash: string };
  factor: { sealedSecret: string };
  code: FactorCode;
  ip: string;
}

export type CheckFactor = ReturnType<typeof createCheckFactor>;

/** Creates the check of a code, which is thereby used. It must run only after the right password was given. */
export function createCheckFactor(dependencies: CheckFactorDependencies) {
  const { secondFactors, secretBox, clock, sendsMail } = dependencies;
  const { pairFailures, clientFailures, accountFailures } = dependencies;

  async function useTotpCode({ user, factor, code: { code } }: FactorCheck): Promise<boolean> {
    const secret = secretBox.open(factor.sealedSecret, ofTotpSecret(user.id));
    const step = findTotpStep(secret, code, clock.now());
    return step !== null && secondFactors.acceptStep(user.id, factor.sealedSecret, step);
  }

  /** Counts the code for its account before it is checked. */
  async function countForAccount(userId: string, account: string): Promise<void> {
    try {
      const failures = await accountFailures.begin(account);
      if (failures === CODES_PER_DAY && sendsMail) await secondFactors.notifyOfFailures(userId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
      const { retryAfterSeconds = 0 } = error;
      throw new AppError('rate_limited', FACTOR_DETAILS.tooManyCodes, { retryAfterSeconds });
    }
  }

  /** @throws AppError `rate_limited` */
  return function checkFactor(check: FactorCheck): Promise<boolean> {
    const { user, code, ip } = check;
    const client = toClientNetwork(ip);
    const limits = [
      [clientFailures, client],
      [pairFailures, `${user.id}:${client}`],
    ] as const;
    return countFailure(limits, async () => {
      if (code.kind === 'recovery') {
        const change = { userId: user.id, ip, notifies: sendsMail };
        return secondFactors.useRecoveryCode(change, hashRecoveryCode(code.code));
      }
      const account = `${user.id}:${hashToken(user.passwordHash).toString('base64url')}`;
      await countForAccount(user.id, account);
      let isRight = false;
      try {
        isRight = await useTotpCode(check);
      } catch (error) {
        await accountFailures.succeed(account);
        throw error;
      }
      if (isRight) await accountFailures.succeed(account);
      return isRight;
    });
  };
}
