import type { SessionResponse } from '@switchboard/contracts';
import { type BusNotification, type Clock, createUuidV7 } from '@switchboard/core';
import { createPendingToken, createSessionToken, hashToken } from '@switchboard/credentials';
import type { SessionStore, User } from '@switchboard/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readUserAgent } from '../start-session.ts';
import type { Cookies } from './cookies.ts';

/**
 * Sessions between the callback of the provider, which is a page, and the dashboard, which holds the session's token.
 * The browser holds a token that works once, in a cookie that scripts can't read, so that no token is in an address and no
 * other browser can take the session.
 */
export interface PendingSessions {
  begin(exchange: { request: FastifyRequest; reply: FastifyReply }, user: User): Promise<void>;
  /** Returns null if the browser has no pending session, or it is used or too old. */
  finish(exchange: {
    request: FastifyRequest;
    reply: FastifyReply;
  }): Promise<SessionResponse | null>;
}

const COOKIE = 'switchboard_sign_in';
const PENDING_SECONDS = 60;
/** Short, because the provider decides only at a sign-in which groups the user still has. */
const SESSION_HOURS = 24;

export function createPendingSessions(dependencies: {
  sessions: Pick<SessionStore, 'create' | 'replaceToken'>;
  cookies: Cookies;
  clock: Clock;
  publishLater(notification: BusNotification): void;
}): PendingSessions {
  const { sessions, cookies, clock, publishLater } = dependencies;

  return {
    async begin({ request, reply }, user) {
      const token = createPendingToken();
      const createdAt = clock.now();
      const created = await sessions.create({
        id: createUuidV7(createdAt),
        userId: user.id,
        tokenHash: hashToken(token),
        createdAt: new Date(createdAt),
        expiresAt: new Date(createdAt + PENDING_SECONDS * 1_000),
        signInMethod: 'single_sign_on',
        userAgent: readUserAgent(request),
      });
      for (const sessionId of created?.endedIds ?? []) {
        publishLater({ kind: 'session_ended', sessionId });
      }
      cookies.set(reply, COOKIE, token, PENDING_SECONDS);
    },

    async finish({ request, reply }) {
      const pending = cookies.read(request, COOKIE);
      if (pending === null || !pending.startsWith('swo_')) return null;
      cookies.clear(reply, COOKIE);
      const token = createSessionToken();
      const expiresAt = new Date(clock.now() + SESSION_HOURS * 3_600_000);
      const tokenHash = hashToken(token);
      const found = await sessions.replaceToken(hashToken(pending), { tokenHash, expiresAt });
      return found === null
        ? null
        : { user: found.user, token, expires_at: expiresAt.toISOString() };
    },
  };
}
