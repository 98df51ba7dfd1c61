import { type Session, type SessionAnswer, logInRequest, parseBody } from '@switchboard/contracts';
import {
  AppError,
  type BusNotification,
  type Clock,
  createUuidV7,
  isUuid,
} from '@switchboard/core';
import { createSessionToken, hashToken, verifyPassword } from '@switchboard/credentials';
import type { SessionStore, StoredSession, User, UserStore } from '@switchboard/database';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import { answerPage } from '../wire/answer-page.ts';
import type { BeginLogin } from './login-throttle.ts';

const SESSION_DAYS = 30;
const USER_AGENT_MAX_CHARACTERS = 200;

export type StartSession = ReturnType<typeof createStartSession>;

export interface StartSessionDependencies {
  sessions: Pick<SessionStore, 'create'>;
  clock: Clock;
  publishLater(notification: BusNotification): void;
}

/** Starts a session of a user; null when `passwordHash` is given and is no longer the user's. */
export function createStartSession({ sessions, clock, publishLater }: StartSessionDependencies) {
  return async function startSession(
    request: Pick<FastifyRequest, 'headers'>,
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
      userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX_CHARACTERS) ?? null,
      ...(passwordHash !== undefined && { passwordHash }),
    });
    if (created === null) return null;
    for (const sessionId of created.endedIds) publishLater({ kind: 'session_ended', sessionId });
    return { user: { id, email, name }, token, expires_at: expiresAt.toISOString() };
  };
}

export interface SessionRouteDependencies {
  credentials: Credentials;
  users: Pick<UserStore, 'findByEmail'>;
  sessions: Pick<SessionStore, 'list' | 'end' | 'endOthers'>;
  startSession: StartSession;
  beginLogin: BeginLogin;
  publishLater(notification: BusNotification): void;
}

/** Login, logout, and the sessions of the user. */
export function registerSessionRoutes(
  app: FastifyInstance,
  dependencies: SessionRouteDependencies,
): void {
  const { users, sessions, startSession, beginLogin } = dependencies;
  const signedIn = { onRequest: [dependencies.credentials.requireSession] };
  const path = '/api/ui/sessions';

  async function checkPassword(
    request: FastifyRequest,
    { email, password }: { email: string; password: string },
  ): Promise<SessionAnswer | null> {
    const user = await users.findByEmail(email);
    const isRight = await verifyPassword(user?.passwordHash ?? null, password);
    return isRight && user !== null ? startSession(request, user, user.passwordHash) : null;
  }

  app.post(path, async (request, reply) => {
    const body = parseBody(logInRequest, request.body);
    const attempt = await beginLogin(request.ip, body.email);
    let started: SessionAnswer | null;
    try {
      started = await checkPassword(request, body);
    } catch (error) {
      // A failure of ours tells nothing about the password.
      await attempt.uncount();
      throw error;
    }
    if (started === null) throw new AppError('unauthorized', 'Wrong email or password');
    await attempt.uncount();
    return reply.code(201).send(started);
  });

  app.get(path, signedIn, (request) =>
    answerPage(
      request,
      (page) => sessions.list(request.session.user.id, page),
      (session) => toSession(session, request.session.id),
    ),
  );

  app.delete(path, signedIn, async (request) => {
    const { id, user } = request.session;
    for (const ended of await sessions.endOthers(user.id, id)) publishEnd(ended);
    return { ok: true };
  });

  app.delete(`${path}/current`, signedIn, async (request) => {
    const { id, user } = request.session;
    await sessions.end(user.id, id);
    publishEnd(id);
    return { ok: true };
  });

  app.delete<{ Params: { sessionId: string } }>(`${path}/:sessionId`, signedIn, async (request) => {
    const { sessionId } = request.params;
    const ended = isUuid(sessionId) && (await sessions.end(request.session.user.id, sessionId));
    if (!ended) throw new AppError('not_found', 'No such session');
    publishEnd(sessionId.toLowerCase());
    return { ok: true };
  });

  /** For its open sockets: each request asks for its session anyway. */
  function publishEnd(sessionId: string): void {
    dependencies.publishLater({ kind: 'session_ended', sessionId });
  }
}

function toSession(session: StoredSession, currentId: string): Session {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    user_agent: session.userAgent,
    is_current: session.id === currentId,
  };
}
