import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIXES } from './provider-listeners.ts';

/**
 * Refuses requests that web pages of other origins cause a browser to send: requests with a foreign
 * `Origin`, and on routes without credentials also requests with a foreign host name in `Host`,
 * which prevents DNS rebinding.
 */
export function refuseForeignPages(app: FastifyInstance, ownHost: () => string): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin !== undefined && !isOwnOrigin(origin, request)) {
      return refuse(reply, 'Requests from web pages of another origin are refused');
    }
    const route = request.routeOptions.url ?? '';
    const needsToken = Object.values(API_PREFIXES).some((prefix) => route.startsWith(`${prefix}/`));
    if (!needsToken && !request.is404 && !isOwnName(request.hostname, ownHost())) {
      return refuse(reply, '`Host` must be an IP address, localhost, or the value of HOST');
    }
    return undefined;
  });
}

function isOwnOrigin(origin: string, request: FastifyRequest): boolean {
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

function isOwnName(hostname: string, ownHost: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || name === 'localhost' || name === ownHost;
}

function refuse(reply: FastifyReply, detail: string): FastifyReply {
  return reply.code(403).send({ error: 'forbidden', detail });
}
