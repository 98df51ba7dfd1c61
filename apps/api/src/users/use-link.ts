import { refuse, routes } from '@switchboard/contracts';
import { hashPassword, hashToken } from '@switchboard/credentials';
import type { AccountTokenStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';
import { toClientNetwork } from '../auth/client-network.ts';

export interface UseLinkDependencies {
  accountTokens: Pick<AccountTokenStore, 'findReset' | 'resetPassword' | 'confirmEmail'>;
  /** Links from one client that do not work. */
  failures: FailureLimit;
}

/** Creates the functions that use the token of a link from a mail. Each works once. */
export function createUseLink({ accountTokens, failures }: UseLinkDependencies) {
  /** Runs `use`, and counts it as failed if it returns null. */
  async function countFailure<T>(ip: string, use: () => Promise<T | null>): Promise<T | null> {
    const client = toClientNetwork(ip);
    await failures.begin(client);
    let result: T | null;
    try {
      result = await use();
    } catch (error) {
      // An internal error is not a wrong token.
      await failures.succeed(client);
      throw error;
    }
    if (result !== null) await failures.succeed(client);
    return result;
  }

  return {
    /** Sets the password; returns the ids of the sessions that ended. */
    async resetPassword(token: string, password: string, ip: string): Promise<string[]> {
      const tokenHash = hashToken(token);
      const reset = await countFailure(ip, async () => {
        // A hash costs much more than this query.
        if (!(await accountTokens.findReset(tokenHash))) return null;
        const passwordHash = await hashPassword(password);
        return accountTokens.resetPassword({ tokenHash, passwordHash, ip });
      });
      if (reset === null) throw refuse(routes.resetPassword, 'not_found');
      return reset.endedSessionIds;
    },

    async confirmEmail(token: string, ip: string): Promise<void> {
      const confirmed = await countFailure(ip, async () => {
        const result = await accountTokens.confirmEmail(hashToken(token), ip);
        return result === 'unknown' ? null : result;
      });
      if (confirmed === null) throw refuse(routes.confirmEmail, 'not_found');
      if (confirmed === 'taken') throw refuse(routes.confirmEmail, 'already_exists');
    },
  };
}

export type UseLink = ReturnType<typeof createUseLink>;
