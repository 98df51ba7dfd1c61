import { parseBody, signUpRequest } from '@switchboard/contracts';
import { AppError, type Clock, createUuidV7 } from '@switchboard/core';
import { hashPassword, hashToken } from '@switchboard/credentials';
import type { NewUser, User, UserStore } from '@switchboard/database';

export interface SignUpDependencies {
  users: Pick<UserStore, 'create' | 'createInvited' | 'exists'>;
  allowSignup: boolean;
  clock: Clock;
}

export type SignUp = ReturnType<typeof createSignUp>;

/** Open to the very first user, to who was invited, and to all where the operator says so. */
export function createSignUp({ users, allowSignup, clock }: SignUpDependencies) {
  const isOpen = async (): Promise<boolean> => allowSignup || !(await users.exists());

  async function signUp(body: unknown): Promise<User> {
    if (!(await isOpen()) && !mentionsInvite(body)) throw refused('sign-up is closed');
    const { email, name, password, invite_token: token } = parseBody(signUpRequest, body);
    const createdAt = clock.now();
    const user: NewUser = {
      id: createUuidV7(createdAt),
      email,
      name,
      passwordHash: await hashPassword(password),
      createdAt: new Date(createdAt),
    };
    const created =
      token === undefined
        ? await users.create(user, { onlyTheFirst: !allowSignup })
        : await users.createInvited(user, hashToken(token));
    switch (created) {
      case 'not_the_first':
        throw refused('sign-up is closed');
      case 'invite_unknown':
        throw refused('the invite is unknown, used or expired');
      case 'invite_of_another':
        throw refused('the invite is for another email address');
      case 'email_taken':
        throw new AppError('already_exists', '`email` belongs to a user already');
      default:
        return created;
    }
  }

  return { signUp, isOpen };
}

/** Where sign-up is closed, whoever has no invite learns nothing else. */
function mentionsInvite(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'invite_token');
}

function refused(cause: string): AppError {
  return new AppError('forbidden', `Insufficient permissions for the resource: ${cause}`);
}
