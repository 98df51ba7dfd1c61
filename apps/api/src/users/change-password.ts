import { AppError } from '@switchboard/core';
import { hashPassword, verifyPassword } from '@switchboard/credentials';
import type { UserStore } from '@switchboard/database';

export type ChangePassword = ReturnType<typeof createChangePassword>;

/** Sets a new password and ends the user's other sessions; returns their ids. */
export function createChangePassword(users: Pick<UserStore, 'find' | 'changePassword'>) {
  return async function changePassword(change: {
    userId: string;
    currentPassword: string;
    password: string;
    keepSessionId: string;
  }): Promise<string[]> {
    const { userId, keepSessionId } = change;
    const user = await users.find(userId);
    if (user === null || !(await verifyPassword(user.passwordHash, change.currentPassword))) {
      throw wrongPassword();
    }
    const changed = await users.changePassword({
      userId,
      oldHash: user.passwordHash,
      newHash: await hashPassword(change.password),
      keepSessionId,
    });
    if (changed === 'changed_meanwhile') throw wrongPassword();
    return changed.endedSessionIds;
  };
}

/** Not `unauthorized`: the session is good, and stays so. */
function wrongPassword(): AppError {
  return new AppError('invalid_params', '`current_password` must be the present password');
}
