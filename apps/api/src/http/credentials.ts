import { AppError, type Clock } from '@switchboard/core';
import { EVENTS_SUBPROTOCOL } from '@switchboard/contracts';
import { hashToken, isApiKey, isSessionToken } from '@switchboard/credentials';
import type { ActiveSession, ApiKeyStore, SessionStore } from '@switchboard/database';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type KnownKey, createKnownKeys } from './known-keys.ts';
import { LIMIT_HEADERS, type RateLimit } from './rate-limits/create-rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireApiKey` and `recognizeApiKey`. */
    apiKey: { readonly id: string; readonly workspaceId: string };
    /** The key's hash, where it was let in without asking whether it still holds. */
    unconfirmedKey?: Buffer | undefined;
    /** Set by `requireSession`. */
    session: ActiveSession;
  }
}

/** The hooks that let a request in: who is it, and is it within its limit? */
export interface Credentials {
  requireApiKey: onRequestAsyncHookHandler;
  /**
   * As `requireApiKey`, but a key that was good before is let in unasked. Whatever answers must ask:
   * `confirmApiKey`, or the statement that does what is asked for.
   */
  recognizeApiKey: onRequestAsyncHookHandler;
  /** @throws AppError `unauthorized` for a key that no longer holds, as if it had never been let in. */
  confirmApiKey(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  requireSession: onRequestAsyncHookHandler;
}

export interface CredentialsOptions {
  apiKeys: Pick<ApiKeyStore, 'findActive'>;
  sessions: Pick<SessionStore, 'findActive'>;
  /** Called for a key whose last use is not recorded as recent; must not throw, nor be waited for. */
  noteUseLater(apiKeyId: string): void;
  /** Per API key, and per workspace over all its keys. */
  messagingLimit: RateLimit;
  /** Per user, over all their sessions. */
  uiLimit: RateLimit;
  clock: Pick<Clock, 'monotonic'>;
}

const KNOWN_KEYS_MAX = 10_000;
const NOTE_USE_EVERY_MS = 60_000;

export function createCredentials(options: CredentialsOptions): Credentials {
  const { clock, messagingLimit } = options;
  const knownKeys = createKnownKeys({ maxSize: KNOWN_KEYS_MAX, now: clock.monotonic });

  function noteUse(key: KnownKey): void {
    const now = clock.monotonic();
    if (now < key.noteUseAt) return;
    key.noteUseAt = now + NOTE_USE_EVERY_MS;
    options.noteUseLater(key.id);
  }

  async function findActive(keyHash: Buffer): Promise<KnownKey> {
    const found = await options.apiKeys.findActive(keyHash);
    if (found !== null) return knownKeys.remember(keyHash, found);
    knownKeys.forget(keyHash);
    throw invalidApiKey();
  }

  function consume({ id, workspaceId }: KnownKey, reply: FastifyReply): Promise<void> {
    return messagingLimit.consume({ client: id, group: workspaceId }, reply);
  }

  async function requireApiKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = readBearer(request);
    // The check digits spare the database what can't be a key.
    if (key === null || !isApiKey(key)) throw invalidApiKey();
    const found = await findActive(hashToken(key));
    noteUse(found);
    request.apiKey = found;
    await consume(found, reply);
  }

  return {
    requireApiKey,

    async recognizeApiKey(request, reply) {
      const token = readBearer(request);
      const keyHash = token === null ? null : hashToken(token);
      const known = keyHash === null ? null : knownKeys.find(keyHash);
      if (keyHash === null || known === null) return requireApiKey(request, reply);
      noteUse(known);
      request.apiKey = known;
      request.unconfirmedKey = keyHash;
      await consume(known, reply);
    },

    async confirmApiKey(request, reply) {
      if (request.unconfirmedKey === undefined) return;
      try {
        await findActive(request.unconfirmedKey);
      } catch (error) {
        // Who is not let in has no limit.
        for (const name of LIMIT_HEADERS) reply.removeHeader(name);
        throw error;
      }
      request.unconfirmedKey = undefined;
    },

    async requireSession(request, reply) {
      const token = readBearer(request);
      const found =
        token !== null && isSessionToken(token)
          ? await options.sessions.findActive(hashToken(token))
          : null;
      if (found === null) throw new AppError('unauthorized', 'Invalid or missing session token');
      request.session = found;
      await options.uiLimit.consume({ client: found.user.id }, reply);
    },
  };
}

export function invalidApiKey(): AppError {
  return new AppError('unauthorized', 'Invalid or missing API key');
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
