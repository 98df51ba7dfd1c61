import { refuse, routes } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';

/**
 * Creates a check of the `Origin` header: browsers let any page open a WebSocket to any host, and
 * send the origin of the page, which must be our own. Programs send no `Origin`.
 */
export function createAssertOwnOrigin(publicUrl: string) {
  const publicOrigin = new URL(publicUrl).origin;
  return function assertOwnOrigin(request: FastifyRequest): void {
    const { origin, host } = request.headers;
    if (origin === undefined || origin === publicOrigin) return;
    // The host name of the page differs from that of PUBLIC_URL, for example in development.
    if (host !== undefined && URL.canParse(origin) && new URL(origin).host === host) return;
    throw refuse(routes.followEvents, 'forbidden');
  };
}
