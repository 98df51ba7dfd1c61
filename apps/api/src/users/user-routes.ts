import { type SessionAnswer, logInRequest, parseBody, signUpRequest } from '@switchboard/contracts';
import { AppError, type BusNotice, type Clock, createUuidV7 } from '@switchboard/core';
import { createSessionToken, hashPassword, hashToken, verifyPassword } from '@switchboard/credentials';
import type { SessionStore, User, UserStore, WorkspaceStore } from '@switchboard/database';
import type { FastifyInstance } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import type { FailureLimit } from '../http/rate-limit.ts';

const SESSION_DAYS = 30;

export interface UserRouteDependencies {
  credentials: Credentials;
  users: UserStore;
  sessions: SessionStore;
  workspaces: Pick<WorkspaceStore, 'listOfUser'>;
  /** Failed logins of one account, and from one address. */
  accountFailures: FailureLimit;
  addressFailures: FailureLimit;
  allowSignup: boolean;
  publishLater(notice: BusNotice): void;
  clock: Clock;
}

/** Sign-up, login, logout, and who am I. */
export function registerUserRoutes(app: FastifyInstance, dependencies: UserRouteDependencies): void {
  const { credentials, users, sessions, workspaces, clock } = dependencies;
  const { accountFailures, addressFailures } = dependencies;
  const session = [credentials.requireSession];

  async function startSession({ id, email, name }: User): Promise<SessionAnswer> {
    const token = createSessionToken();
    const createdAt = new Date(clock.now());
    const expiresAt = new Date(createdAt.getTime() + SESSION_DAYS * 86_400_000);
    await sessions.create({
      id: createUuidV7(createdAt.getTime()),
      userId: id,
      tokenHash: hashToken(token),
      createdAt,
      expiresAt,
    });
    return { user: { id, email, name }, token, expires_at: expiresAt.toISOString() };
  }

  app.post('/api/ui/users', async (request, reply) => {
    const open = dependencies.allowSignup || !(await users.exists());
    if (!open) throw signUpClosed();
    const { email, name, password } = parseBody(signUpRequest, request.body);
    const createdAt = clock.now();
    const created = await users.create(
      {
        id: createUuidV7(createdAt),
        email,
        name,
        passwordHash: await hashPassword(password),
        createdAt: new Date(createdAt),
      },
      { onlyTheFirst: !dependencies.allowSignup },
    );
    if (created === 'not_the_first') throw signUpClosed();
    if (created === 'email_taken') {
      throw new AppError('already_exists', '`email` belongs to a user already');
    }
    return reply.code(201).send(await startSession(created));
  });

  app.post('/api/ui/sessions', async (request, reply) => {
    const { email, password } = parseBody(logInRequest, request.body);
    // A store of limits takes short keys of few characters.
    const account = hashToken(email).toString('base64url');
    await addressFailures.begin(request.ip);
    await accountFailures.begin(account);

    const user = await users.findByEmail(email);
    const isRight = await verifyPassword(user?.passwordHash ?? null, password);
    if (!isRight || user === null) throw new AppError('unauthorized', 'Wrong email or password');
    await Promise.all([addressFailures.succeed(request.ip), accountFailures.succeed(account)]);
    return reply.code(201).send(await startSession(user));
  });

  app.delete('/api/ui/sessions/current', { onRequest: session }, async (request) => {
    await sessions.end(request.session.id);
    dependencies.publishLater({ kind: 'session_ended', sessionId: request.session.id });
    return { ok: true };
  });

  app.get('/api/ui/me', { onRequest: session }, async (request) => ({
    user: request.session.user,
    workspaces: await workspaces.listOfUser(request.session.user.id),
  }));
}

function signUpClosed(): AppError {
  return new AppError('forbidden', 'Insufficient permissions for the resource: sign-up is closed');
}
