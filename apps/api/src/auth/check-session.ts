import { DETAILS } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import { hashToken, isSessionToken } from '@switchboard/credentials';
import type { ActiveSession, SessionStore, SessionUser } from '@switchboard/database';
import type { RateLimit } from '@switchboard/rate-limits';
import type { onRequestAsyncHookHandler } from 'fastify';
import { countRequest } from './count-request.ts';
import { readBearer } from './read-bearer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of `createRequireSession`. */
    session: ActiveSession;
  }
}

/** Returns whose memberships count in a session. */
export const toSessionUser = ({ user, usesGroups }: ActiveSession): SessionUser => ({
  id: user.id,
  usesGroups,
});

/** Creates the hook that accepts a session token and counts the request for its user. */
export function createRequireSession(options: {
  sessions: Pick<SessionStore, 'findActive'>;
  /** For each user, across all their sessions. */
  limit: Pick<RateLimit, 'count'>;
}): onRequestAsyncHookHandler {
  return async function requireSession(request, reply) {
    const token = readBearer(request);
    const found =
      token !== null && isSessionToken(token)
        ? await options.sessions.findActive(hashToken(token))
        : null;
    if (found === null) throw new AppError('unauthorized', DETAILS.invalidSession);
    request.session = found;
    await countRequest(options.limit, { client: found.user.id }, reply);
  };
}
