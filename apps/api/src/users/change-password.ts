import { refuse, routes } from '@switchboard/contracts';
import { hashPassword, verifyPassword } from '@switchboard/credentials';
import type { UserStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';

export interface PasswordChange {
  userId: string;
  currentPassword: string;
  password: string;
  /** The session of the request, which is not ended. */
  sessionId: string;
  /** The client's address, for the audit trail. */
  ip: string;
}

export interface ChangePasswordDependencies {
  users: Pick<UserStore, 'find' | 'changePassword'>;
  /**
   * Wrong passwords of one session: a stolen session must not help to guess the password. Logins
   * are counted separately, so that a stranger's failed logins do not prevent the user from
   * changing the password.
   */
  failures: FailureLimit;
}

export type ChangePassword = ReturnType<typeof createChangePassword>;

/** Sets a new password and ends the user's other sessions; returns their ids. */
export function createChangePassword({ users, failures }: ChangePasswordDependencies) {
  async function change({ userId, currentPassword, password, sessionId, ip }: PasswordChange) {
    const user = await users.find(userId);
    const oldHash = user?.passwordHash ?? null;
    const isCorrect = await verifyPassword(oldHash, currentPassword);
    if (!isCorrect || oldHash === null) return null;
    const changed = await users.changePassword({
      userId,
      oldHash,
      newHash: await hashPassword(password),
      keepSessionId: sessionId,
      ip,
    });
    return changed === 'changed_meanwhile' ? null : changed.endedSessionIds;
  }

  return async function changePassword(request: PasswordChange): Promise<string[]> {
    await failures.begin(request.sessionId);
    let ended: string[] | null;
    try {
      ended = await change(request);
    } catch (error) {
      // An internal error is not a wrong password.
      await failures.succeed(request.sessionId);
      throw error;
    }
    if (ended === null) throw refuse(routes.changePassword, 'invalid_params');
    await failures.succeed(request.sessionId);
    return ended;
  };
}
