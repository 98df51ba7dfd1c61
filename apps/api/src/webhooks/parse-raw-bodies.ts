import type { FastifyInstance } from 'fastify';

/**
 * Passes bodies of these media types on as bytes, because the adapter of the provider verifies and
 * parses them.
 */
export function parseRawBodies(app: FastifyInstance, contentTypes: readonly string[]): void {
  app.addContentTypeParser(
    [...new Set(contentTypes)],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  );
}
