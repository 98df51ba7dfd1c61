import { AppError } from '@switchboard/core';
import { EVENTS_SUBPROTOCOL } from '@switchboard/contracts';
import { hashToken, isApiKey, isSessionToken } from '@switchboard/credentials';
import type { ActiveApiKey, ActiveSession, ApiKeyStore, SessionStore } from '@switchboard/database';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireApiKey`. */
    apiKey: ActiveApiKey;
    /** Set by `requireSession`. */
    session: ActiveSession;
  }
}

/** The hooks that let a request in: who is it, and is it within its limit? */
export interface Credentials {
  requireApiKey: onRequestAsyncHookHandler;
  requireSession: onRequestAsyncHookHandler;
}

export interface CredentialsOptions {
  apiKeys: Pick<ApiKeyStore, 'findActive'>;
  sessions: Pick<SessionStore, 'findActive'>;
  /** Called for a key whose last use is not recorded as recent; must not throw, nor be waited for. */
  noteUseLater(apiKeyId: string): void;
  /** Per API key. */
  messagingLimit: RateLimit;
  /** Per user, over all their sessions. */
  uiLimit: RateLimit;
}

export function createCredentials(options: CredentialsOptions): Credentials {
  return {
    async requireApiKey(request, reply) {
      const key = readBearer(request);
      // The check digits spare the database what can't be a key.
      const found =
        key !== null && isApiKey(key) ? await options.apiKeys.findActive(hashToken(key)) : null;
      if (found === null) throw new AppError('unauthorized', 'Invalid or missing API key');
      request.apiKey = found;
      if (found.isUseStale) options.noteUseLater(found.id);
      await options.messagingLimit.consume(found.id, reply);
    },

    async requireSession(request, reply) {
      const token = readBearer(request);
      const found =
        token !== null && isSessionToken(token)
          ? await options.sessions.findActive(hashToken(token))
          : null;
      if (found === null) throw new AppError('unauthorized', 'Invalid or missing session token');
      request.session = found;
      await options.uiLimit.consume(found.user.id, reply);
    },
  };
}

/**
 * The token of `Authorization: Bearer`, or, for a WebSocket from a browser, which can't set that
 * header, of the second subprotocol `bearer.<token>`.
 */
function readBearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header !== undefined) return /^bearer +([A-Za-z0-9._-]+)$/i.exec(header)?.[1] ?? null;
  if (!request.ws) return null;
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  const [first, second] = offered ?? [];
  if (first !== EVENTS_SUBPROTOCOL) return null;
  return /^bearer\.([A-Za-z0-9._-]+)$/.exec(second ?? '')?.[1] ?? null;
}
