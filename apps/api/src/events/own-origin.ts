import { AppError } from '@switchboard/core';
import type { FastifyRequest } from 'fastify';

/**
 * Browsers let any page open a WebSocket to any host, and say in `Origin` which page it was: it
 * must be one of ours. Programs send none.
 */
export function createAssertOwnOrigin(publicUrl: string) {
  const publicOrigin = new URL(publicUrl).origin;
  return async function assertOwnOrigin(request: FastifyRequest): Promise<void> {
    const { origin, host } = request.headers;
    if (origin === undefined || origin === publicOrigin) return;
    // Reached by another name than PUBLIC_URL, as in development.
    if (host !== undefined && URL.canParse(origin) && new URL(origin).host === host) return;
    throw new AppError(
      'forbidden',
      'Insufficient permissions for the resource: the page has a foreign origin',
    );
  };
}
