import { type SignUpRequest, refuse, routes } from '@switchboard/contracts';
import { AppError, type Clock, createUuidV7 } from '@switchboard/core';
import { hashPassword, hashToken } from '@switchboard/credentials';
import type { InviteRefusal, InviteStore, NewUser, User, UserStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';
import { toClientNetwork } from '../auth/client-network.ts';

export interface SignUpDependencies {
  users: Pick<UserStore, 'create' | 'undoCreation' | 'exists' | 'findByEmail'>;
  invites: Pick<InviteStore, 'findRefusal' | 'accept'>;
  /** Sign-ups from one address; sign-ups with an accepted invite do not count. */
  attempts: FailureLimit;
  allowSignup: boolean;
  /** Whether a mail asks the user to confirm the address. */
  sendsMail: boolean;
  clock: Clock;
  onError(error: unknown): void;
}

export type SignUp = ReturnType<typeof createSignUp>;

/**
 * Creates a user. Open to the first user, to invited people, and to everyone if the operator
 * allows it. A password hash costs much more than all checks, so the checks come first.
 */
export function createSignUp(dependencies: SignUpDependencies) {
  const { users, invites, attempts, allowSignup, sendsMail, clock, onError } = dependencies;

  async function findRefusal(email: string, tokenHash: Buffer | null): Promise<Refusal | null> {
    // The invite is read last: all but one of several concurrent sign-ups find that it is used.
    const isTaken = (await users.findByEmail(email)) !== null;
    const refusal = tokenHash === null ? null : await invites.findRefusal(tokenHash);
    return refusal ?? (isTaken ? 'email_taken' : null);
  }

  const isOpen = async (): Promise<boolean> => allowSignup || !(await users.exists());

  /** While sign-up is closed, every request without an invitation gets the same response. */
  async function assertMaySignUp(body: unknown): Promise<void> {
    if (!(await isOpen()) && !mentionsInvite(body)) throw describeRefusal('not_the_first');
  }

  async function signUp(body: SignUpRequest, ip: string): Promise<User> {
    const { email, name, password, invite_token: token } = body;
    const address = toClientNetwork(ip);
    await attempts.begin(address);
    const tokenHash = token === undefined ? null : hashToken(token);
    const refusal = await findRefusal(email, tokenHash);
    if (refusal !== null) throw describeRefusal(refusal);

    const createdAt = clock.now();
    const user: NewUser = {
      id: createUuidV7(createdAt),
      email,
      name,
      passwordHash: await hashPassword(password, 'sign_up'),
      createdAt: new Date(createdAt),
    };
    // The statements repeat all checks, because the state may change while the password is hashed.
    const onlyTheFirst = !allowSignup && tokenHash === null;
    const created = await users.create(user, { onlyTheFirst, confirmsByMail: sendsMail });
    if (typeof created === 'string') throw describeRefusal(created);
    if (tokenHash !== null) {
      await join(created, tokenHash, ip);
      await attempts.succeed(address);
    }
    return created;
  }

  /**
   * Users may be in another database than workspaces, so the membership is not stored in the transaction of the user. If
   * this process ends in between, or the membership can't be stored, the user is there, and accepts the invite later, by its
   * link.
   */
  async function join(user: User, tokenHash: Buffer, ip: string): Promise<void> {
    const accepted = await invites
      .accept(tokenHash, user, ip, new Date(clock.now()))
      .catch((error: unknown) => {
        onError(error);
        return null;
      });
    if (typeof accepted !== 'string') return;
    await users.undoCreation(user.id);
    // A user without a workspace is no member.
    throw describeRefusal(accepted === 'already_member' ? 'invite_unknown' : accepted);
  }

  return { assertMaySignUp, signUp, isOpen };
}

function mentionsInvite(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'invite_token');
}

type Refusal = InviteRefusal | 'not_the_first' | 'email_taken';

function describeRefusal(refusal: Refusal): AppError {
  const forbidden = (cause: string) =>
    new AppError('forbidden', `Insufficient permissions for the resource: ${cause}`);
  switch (refusal) {
    case 'not_the_first':
      return refuse(routes.signUp, 'forbidden');
    case 'invite_unknown':
      return forbidden('the invitation is unknown, used or expired');
    case 'quota_exceeded':
      return refuse(routes.signUp, 'quota_exceeded');
    case 'email_taken':
      return refuse(routes.signUp, 'already_exists');
  }
}
