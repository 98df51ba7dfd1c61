import type { FastifyInstance } from 'fastify';

/** The headers of a response unless its route sets others: browsers must not sniff its type or store it. */
export const JSON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/**
 * Adds the headers to each response that has no others of these names. A route whose response may be stored
 * says so itself, so that neither the spelling of a URL nor a new route can leave them out.
 */
export function setJsonHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const [name, value] of Object.entries(JSON_HEADERS)) {
      // Finds headers that are only on the raw response too, as those of the dashboard's files.
      if (reply.getHeader(name) === undefined) reply.header(name, value);
    }
    done(null, payload);
  });
}
