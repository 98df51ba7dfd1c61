import type { FastifyInstance } from 'fastify';

/** The headers of every JSON response: browsers must not sniff its type or store it. */
export const JSON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** Sets the headers for all API routes; the dashboard and the reference have their own headers. */
export function setJsonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (/^\/(api|health)\b/.test(request.url)) reply.headers(JSON_HEADERS);
    done();
  });
}
