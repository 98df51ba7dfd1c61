import {
  type Session,
  type SessionResponse,
  OK,
  readEmailAddress,
  refuse,
  routes,
} from '@switchboard/contracts';
import type { BusNotification } from '@switchboard/core';
import { verifyPassword } from '@switchboard/credentials';
import type { SessionStore, StoredSession, UserStore } from '@switchboard/database';
import { toClientAddress } from '../auth/client-network.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import type { BeginLogin } from './login-throttle.ts';
import type { PassFactor } from './second-factor.ts';
import type { StartSession } from './start-session.ts';

export interface SessionRouteDependencies {
  users: Pick<UserStore, 'findByEmail'>;
  sessions: Pick<SessionStore, 'list' | 'end' | 'endOthers'>;
  startSession: StartSession;
  beginLogin: BeginLogin;
  passFactor: PassFactor;
  /** False if passwords are switched off. */
  hasPasswords: boolean;
  publishLater(notification: BusNotification): void;
}

/** Registers the routes for login, logout and the sessions of the user. */
export function registerSessionRoutes(
  registerRoute: RegisterRoute,
  dependencies: SessionRouteDependencies,
): void {
  const { users, sessions, startSession, beginLogin, passFactor, hasPasswords } = dependencies;

  async function checkPassword(address: string, password: string) {
    const user = await users.findByEmail(address);
    const passwordHash = user?.passwordHash ?? null;
    const isCorrect = await verifyPassword(passwordHash, password);
    return isCorrect && user !== null && passwordHash !== null ? { ...user, passwordHash } : null;
  }

  registerRoute(routes.logIn, async ({ body, request }) => {
    if (!hasPasswords) throw refuse(routes.logIn, 'forbidden');
    const address = readEmailAddress(body.email) ?? body.email.toLowerCase();
    const attempt = await beginLogin(request.ip, address);
    let started: SessionResponse | null = null;
    try {
      const user = await checkPassword(address, body.password);
      if (user !== null) {
        // Only now, so that no response without the password depends on the factor.
        const passedSecondFactor = await passFactor({
          user,
          totpCode: body.totp_code,
          recoveryCode: body.recovery_code,
          ip: toClientAddress(request.ip),
        });
        const { passwordHash } = user;
        const staySignedIn = body.stay_signed_in;
        started = await startSession(request, {
          user,
          staySignedIn,
          passwordHash,
          passedSecondFactor,
        });
      }
    } catch (error) {
      // Neither an internal error nor a wrong code is a wrong password.
      await attempt.uncount();
      throw error;
    }
    if (started === null) throw refuse(routes.logIn, 'unauthorized');
    await attempt.uncount();
    return started;
  });

  registerRoute(routes.listSessions, ({ session, query }) =>
    respondWithPage(
      query,
      (page) => sessions.list(session.user.id, page),
      (one) => toSession(one, session.id),
    ),
  );

  registerRoute(routes.endOtherSessions, async ({ session: { id, user } }) => {
    for (const ended of await sessions.endOthers(user.id, id)) publishEnd(ended);
    return OK;
  });

  registerRoute(routes.logOut, async ({ session: { id, user } }) => {
    await sessions.end(user.id, id);
    publishEnd(id);
    return OK;
  });

  registerRoute(routes.endSession, async ({ session: { user }, params: { sessionId } }) => {
    if (!(await sessions.end(user.id, sessionId))) throw refuse(routes.endSession, 'not_found');
    publishEnd(sessionId);
    return OK;
  });

  /** Closes the WebSockets of a session; requests check the session themselves. */
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
