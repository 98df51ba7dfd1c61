import { DETAILS } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

const NOT_DECODED = `${DETAILS.notJson}. Send it without \`Content-Encoding\`: the service does not decompress it`;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON bodies in strict UTF-8. Accepts an empty body; the route's own parsing decides
 * whether a body is required. `__proto__` is dropped like any unknown field, because values are
 * copied by name, never spread.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined);
      try {
        done(null, JSON.parse(utf8.decode(body)));
      } catch (cause) {
        const isEncoded = request.headers['content-encoding'] !== undefined;
        const detail = isEncoded ? NOT_DECODED : DETAILS.notJson;
        done(new AppError('invalid_params', detail, { cause }));
      }
    },
  );
}
