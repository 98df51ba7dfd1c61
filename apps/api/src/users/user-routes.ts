import {
  type SessionAnswer,
  type SignUpState,
  changePasswordRequest,
  logInRequest,
  parseBody,
} from '@switchboard/contracts';
import { AppError, type BusNotice, type Clock, createUuidV7 } from '@switchboard/core';
import { createSessionToken, hashToken, verifyPassword } from '@switchboard/credentials';
import type { SessionStore, User, UserStore, WorkspaceStore } from '@switchboard/database';
import type { FastifyInstance } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import type { FailureLimit } from '../http/rate-limits/create-rate-limits.ts';
import type { ChangePassword } from './change-password.ts';
import type { SignUp } from './sign-up.ts';

const SESSION_DAYS = 30;

export interface UserRouteDependencies {
  credentials: Credentials;
  users: Pick<UserStore, 'findByEmail'>;
  sessions: SessionStore;
  workspaces: Pick<WorkspaceStore, 'listOfUser'>;
  /** Failed logins of one account, and from one address. */
  accountFailures: FailureLimit;
  addressFailures: FailureLimit;
  signUp: SignUp;
  changePassword: ChangePassword;
  isCarrierSimulated: boolean;
  publishLater(notice: BusNotice): void;
  clock: Clock;
}

/** Sign-up, login, logout, who am I, and a new password. */
export function registerUserRoutes(
  app: FastifyInstance,
  dependencies: UserRouteDependencies,
): void {
  const { credentials, users, sessions, workspaces, clock } = dependencies;
  const { accountFailures, addressFailures } = dependencies;
  const { isOpen, signUp } = dependencies.signUp;
  const session = [credentials.requireSession];

  /** Null when `passwordHash` is given and the password has been changed meanwhile. */
  async function startSession(
    { id, email, name }: User,
    passwordHash?: string,
  ): Promise<SessionAnswer | null> {
    const token = createSessionToken();
    const createdAt = new Date(clock.now());
    const expiresAt = new Date(createdAt.getTime() + SESSION_DAYS * 86_400_000);
    const created = await sessions.create({
      id: createUuidV7(createdAt.getTime()),
      userId: id,
      tokenHash: hashToken(token),
      createdAt,
      expiresAt,
      ...(passwordHash !== undefined && { passwordHash }),
    });
    if (!created) return null;
    return { user: { id, email, name }, token, expires_at: expiresAt.toISOString() };
  }

  app.get('/api/ui/users', async (): Promise<SignUpState> => {
    return { sign_up: (await isOpen()) ? 'open' : 'closed' };
  });

  app.post('/api/ui/users', async (request, reply) => {
    const user = await signUp(request.body);
    return reply.code(201).send(await startSession(user));
  });

  app.post('/api/ui/sessions', async (request, reply) => {
    const { email, password } = parseBody(logInRequest, request.body);
    const account = accountOf(email);
    await addressFailures.begin(request.ip);
    await accountFailures.begin(account);

    const user = await users.findByEmail(email);
    const isRight = await verifyPassword(user?.passwordHash ?? null, password);
    const started = isRight && user !== null ? await startSession(user, user.passwordHash) : null;
    if (started === null) throw new AppError('unauthorized', 'Wrong email or password');
    await Promise.all([addressFailures.succeed(request.ip), accountFailures.succeed(account)]);
    return reply.code(201).send(started);
  });

  app.delete('/api/ui/sessions/current', { onRequest: session }, async (request) => {
    await sessions.end(request.session.id);
    dependencies.publishLater({ kind: 'session_ended', sessionId: request.session.id });
    return { ok: true };
  });

  app.get('/api/ui/me', { onRequest: session }, async (request) => ({
    user: request.session.user,
    workspaces: await workspaces.listOfUser(request.session.user.id),
    carrier_simulated: dependencies.isCarrierSimulated,
  }));
  app.post('/api/ui/me/password', { onRequest: session }, async (request) => {
    const body = parseBody(changePasswordRequest, request.body);
    const { id: sessionId, user } = request.session;
    // A stolen session must not help to guess the password.
    const account = accountOf(user.email);
    await accountFailures.begin(account);
    const ended = await dependencies.changePassword({
      userId: user.id,
      currentPassword: body.current_password,
      password: body.password,
      keepSessionId: sessionId,
    });
    await accountFailures.succeed(account);
    for (const id of ended) dependencies.publishLater({ kind: 'session_ended', sessionId: id });
    return { ok: true };
  });
}

/** A store of limits takes short keys of few characters. */
function accountOf(email: string): string {
  return hashToken(email).toString('base64url');
}
