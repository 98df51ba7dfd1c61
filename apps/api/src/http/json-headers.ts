import type { FastifyInstance } from 'fastify';

/** Of every JSON answer: it is no page, whatever a browser makes of it, and is kept nowhere. */
export const JSON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** Sets them for all that programs ask; the dashboard and the reference have headers of their own. */
export function setJsonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (/^\/(api|health)\b/.test(request.url)) reply.headers(JSON_HEADERS);
    done();
  });
}
