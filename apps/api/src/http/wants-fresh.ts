import type { FastifyRequest } from 'fastify';

/**
 * Whether the client asks for the state of this moment, by HTTP's own word for it (RFC 9111): it
 * adds live events to what it reads, or has just written what it looks for.
 */
export function wantsFresh({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bno-cache\b/i.test(headers['cache-control'] ?? '');
}
