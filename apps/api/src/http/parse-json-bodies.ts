import { DETAILS } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON only, strictly UTF-8. An empty body is fine where none is needed; whether one is needed,
 * the route's own parsing says. `__proto__` is dropped like any unknown field: values are copied
 * out by name, never spread.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (_request, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined);
      try {
        done(null, JSON.parse(utf8.decode(body)));
      } catch (cause) {
        done(new AppError('invalid_params', DETAILS.notJson, { cause }));
      }
    },
  );
}
