import { refuse, routes } from '@switchboard/contracts';
import { verifyPassword } from '@switchboard/credentials';
import type { AccountTokenStore, UserStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';

export interface ChangeEmailDependencies {
  users: Pick<UserStore, 'find'>;
  accountTokens: Pick<AccountTokenStore, 'requestEmailChange'>;
  /** Wrong passwords of one session, as for a change of the password. */
  failures: FailureLimit;
  /** Changes of one user: each is a mail to an address that may be a stranger's. */
  changes: FailureLimit;
  sendsMail: boolean;
}

export type ChangeEmail = ReturnType<typeof createChangeEmail>;

/**
 * Stores the new address of a user until it is confirmed. Does not check whether another user has it, because the response would
 * reveal that; the confirmation checks it.
 */
export function createChangeEmail(dependencies: ChangeEmailDependencies) {
  const { users, accountTokens, failures, changes, sendsMail } = dependencies;

  async function change(request: ChangeEmailRequest): Promise<boolean> {
    const { userId, email, password, ip } = request;
    const user = await users.find(userId);
    const passwordHash = user?.passwordHash ?? null;
    const isCorrect = await verifyPassword(passwordHash, password);
    if (!isCorrect || passwordHash === null) return false;
    await changes.begin(userId);
    return accountTokens.requestEmailChange({ userId, email, passwordHash, ip });
  }

  return async function changeEmail(request: ChangeEmailRequest): Promise<void> {
    if (!sendsMail) throw refuse(routes.changeEmail, 'invalid_state');
    await failures.begin(request.sessionId);
    let changed: boolean;
    try {
      changed = await change(request);
    } catch (error) {
      // An internal error is not a wrong password.
      await failures.succeed(request.sessionId);
      throw error;
    }
    if (!changed) throw refuse(routes.changeEmail, 'invalid_params');
    await failures.succeed(request.sessionId);
  };
}

export interface ChangeEmailRequest {
  userId: string;
  sessionId: string;
  email: string;
  password: string;
  ip: string;
}
