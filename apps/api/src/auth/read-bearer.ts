import { EVENTS_SUBPROTOCOL } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';

/**
 * Reads the token of `Authorization: Bearer`, or of the second subprotocol `bearer.<token>` of a
 * WebSocket, because a browser cannot set the header there. Returns null if there is no well-formed
 * token.
 */
export function readBearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header !== undefined) return /^bearer +([A-Za-z0-9._-]+)$/i.exec(header)?.[1] ?? null;
  if (!request.ws) return null;
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  const [first, second] = offered ?? [];
  if (first !== EVENTS_SUBPROTOCOL) return null;
  return /^bearer\.([A-Za-z0-9._-]+)$/.exec(second ?? '')?.[1] ?? null;
}
