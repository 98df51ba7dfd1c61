import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

/**
 * Passes bodies of these media types on as text, because the adapter of the provider parses and
 * verifies them.
 */
export function parseRawBodies(app: FastifyInstance, contentTypes: readonly string[]): void {
  app.addContentTypeParser(
    [...new Set(contentTypes)],
    { parseAs: 'string' },
    (_request, body: string, done) => {
      if (!body.isWellFormed()) {
        return done(new AppError('invalid_params', 'The request body is not valid UTF-8'));
      }
      done(null, body);
    },
  );
}
