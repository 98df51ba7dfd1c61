import { DETAILS, describeExpiredKey, describeForbidden } from '@switchboard/contracts';
import {
  AppError,
  type Clock,
  type IpNetwork,
  isInNetworks,
  parseNetwork,
} from '@switchboard/core';
import { hashToken, isApiKey } from '@switchboard/credentials';
import type { ApiKeyStore, KeyUse } from '@switchboard/database';
import type { RateLimit } from '@switchboard/rate-limits';
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
} from 'fastify';
import { statusOf } from '../http/handle-errors.ts';
import { createLeastRecentlyUsed } from '../least-recently-used.ts';
import { toClientAddress, toClientNetwork } from './client-network.ts';
import { countRequest, removeLimitHeaders } from './count-request.ts';
import { readBearer } from './read-bearer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by both hooks of `ApiKeyCheck`. */
    apiKey: AdmittedKey;
    /** The hash of a key that `admitKnown` accepted and that no query has confirmed yet. */
    unconfirmedKey?: Buffer | undefined;
  }
}

/** What does not change about a secret of a key, except that it may end. */
interface AdmittedKey {
  readonly id: string;
  readonly workspaceId: string;
  /** The version of the secret. */
  readonly version: number;
  readonly scopes: readonly string[];
  /** When the secret ends; null if it does not. */
  readonly endsAt: Date | null;
}

/**
 * Checks API keys. A route uses one of the two hooks.
 *
 * `require` reads the key from the database for each request. `admitKnown` saves that read for
 * sends: it accepts a key that was valid before, because its id, workspace, scopes and networks never change,
 * and the statement that stores the message refuses a revoked, expired or replaced key. `confirm` must run before any other
 * response, because the response would reveal data to a revoked key: `confirmBeforeRefusal` calls
 * it for refusals, the handler for replays.
 */
export interface ApiKeyCheck {
  require: onRequestAsyncHookHandler;
  admitKnown: onRequestAsyncHookHandler;
  /** Throws `unauthorized` for a key that is no longer valid. */
  confirm(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** The error handler of a route that uses `admitKnown`. */
  confirmBeforeRefusal(
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<never>;
}

export interface ApiKeyCheckOptions {
  apiKeys: Pick<ApiKeyStore, 'findActive'>;
  /** Called when the recorded last use of a key is too old. Must not throw; it is not awaited. */
  recordUseLater(use: KeyUse): void;
  /** For each API key, and for each workspace across all its keys. */
  limit: Pick<RateLimit, 'count'>;
  clock: Pick<Clock, 'monotonic'>;
  /** How many keys a process caches; 10,000 by default. */
  knownKeysMax?: number;
}

interface KnownKey extends AdmittedKey {
  /** Null for any address. */
  readonly networks: readonly IpNetwork[] | null;
  /** The monotonic time from which the next use is recorded. */
  recordUseAt: number;
}

const KNOWN_KEYS_MAX = 10_000;
const RECORD_USE_EVERY_MS = 60_000;

export function createApiKeyCheck(options: ApiKeyCheckOptions): ApiKeyCheck {
  const { apiKeys, limit, clock } = options;
  // Contains only keys found in the database, so guesses cannot fill it.
  const knownKeys = createLeastRecentlyUsed<KnownKey>(options.knownKeysMax ?? KNOWN_KEYS_MAX);

  async function findActive(keyHash: Buffer): Promise<KnownKey> {
    const name = keyHash.toString('latin1');
    const found = await apiKeys.findActive(keyHash);
    if (found === null) {
      knownKeys.delete(name);
      throw invalidApiKey();
    }
    const { useStaleInMs, allowedIps, hasEnded, ...admitted } = found;
    if (hasEnded) {
      knownKeys.delete(name);
      throw expiredApiKey(found.endsAt);
    }
    // A network that cannot be read has no address, so that the key stays limited.
    const read = allowedIps.map(parseNetwork).filter((network) => network !== null);
    const networks = allowedIps.length === 0 ? null : read;
    const key = { ...admitted, networks, recordUseAt: clock.monotonic() + useStaleInMs };
    knownKeys.set(name, key);
    return key;
  }

  async function admit(request: FastifyRequest, reply: FastifyReply, key: KnownKey): Promise<void> {
    if (key.networks !== null) await requireAllowedAddress(request, reply, key, key.networks);
    const now = clock.monotonic();
    if (now >= key.recordUseAt) {
      key.recordUseAt = now + RECORD_USE_EVERY_MS;
      const { id, workspaceId } = key;
      options.recordUseLater({ id, workspaceId, ip: toClientAddress(request.ip) });
    }
    request.apiKey = key;
    await countRequest(limit, { client: key.id, group: key.workspaceId }, reply);
  }

  async function requireAllowedAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    key: KnownKey,
    networks: readonly IpNetwork[],
  ): Promise<void> {
    const written = toClientAddress(request.ip);
    if (isInNetworks(written, networks)) return;
    // Counted by itself: who has stolen the key must not use up its limit.
    const client = `${key.id} ${toClientNetwork(request.ip)}`;
    await countRequest(limit, { client, group: client }, reply);
    throw new AppError('forbidden', describeForbidden.address(written));
  }

  async function requireApiKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = readBearer(request);
    // The check digits refuse most wrong tokens without a query.
    if (token === null || !isApiKey(token)) throw invalidApiKey();
    await admit(request, reply, await findActive(hashToken(token)));
  }

  async function confirm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.unconfirmedKey === undefined) return;
    try {
      await findActive(request.unconfirmedKey);
    } catch (error) {
      removeLimitHeaders(reply);
      throw error;
    }
    request.unconfirmedKey = undefined;
  }

  return {
    require: requireApiKey,

    async admitKnown(request, reply) {
      const token = readBearer(request);
      const keyHash = token === null ? null : hashToken(token);
      const known = keyHash === null ? undefined : knownKeys.get(keyHash.toString('latin1'));
      if (keyHash === null || known === undefined) return requireApiKey(request, reply);
      request.unconfirmedKey = keyHash;
      await admit(request, reply, known);
    },

    confirm,

    async confirmBeforeRefusal(error, request, reply) {
      // An internal error reveals nothing, and its cause may be that the key could not be read.
      if (statusOf(error, request) < 500) await confirm(request, reply);
      throw error;
    },
  };
}

function expiredApiKey(at: Date | null): AppError {
  return at === null ? invalidApiKey() : new AppError('unauthorized', describeExpiredKey(at));
}

export function invalidApiKey(): AppError {
  return new AppError('unauthorized', DETAILS.invalidApiKey);
}
