import type { Actor } from '@switchboard/database';
import type { FastifyRequest } from 'fastify';

/** Who stands behind a request that a session let in, for the audit trail. */
export function userOf(request: FastifyRequest): Actor & { kind: 'user' } {
  return { kind: 'user', userId: request.session.user.id };
}

/** The same for a request that an API key let in. */
export function apiKeyOf(request: FastifyRequest): Actor {
  return { kind: 'api_key', apiKeyId: request.apiKey.id };
}
