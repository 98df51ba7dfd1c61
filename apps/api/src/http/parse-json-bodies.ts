import { DETAILS } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

const NOT_DECODED = `${DETAILS.notJson}. Send it without \`Content-Encoding\`: the service does not decompress it`;

/** A body up to this size may have any structure: parsing it takes little time. */
const ANY_STRUCTURE_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
const MAX_VALUES = 40_000;

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
      if (body.length > ANY_STRUCTURE_BYTES && !isQuicklyParsed(body)) {
        const detail = `A request body of more than 64 KiB must have at most ${MAX_VALUES} values, nested ${MAX_DEPTH} deep`;
        return done(new AppError('invalid_params', detail));
      }
      const parse = () => {
        try {
          done(null, JSON.parse(utf8.decode(body)));
        } catch (cause) {
          const isDecoded = request.routeOptions.bodyLimit > ANY_STRUCTURE_BYTES;
          const isEncoded = request.headers['content-encoding'] !== undefined && !isDecoded;
          const detail = isEncoded ? NOT_DECODED : DETAILS.notJson;
          done(new AppError('invalid_params', detail, { cause }));
        }
      };
      // Receiving and checking a large body is work enough for one turn of the event loop.
      if (body.length > ANY_STRUCTURE_BYTES) setImmediate(parse);
      else parse();
    },
  );
}

/**
 * Returns whether JSON has a structure that is parsed quickly: at the same size, many small or deeply nested values take
 * a hundred times as long as long texts.
 */
function isQuicklyParsed(json: Buffer): boolean {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case 0x22: // A string, up to the next quote that no backslash escapes.
        at += 1;
        while (at < json.length && json[at] !== 0x22) at += json[at] === 0x5c ? 2 : 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH) return false;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        values += 1;
        break;
      default:
    }
    if (values > MAX_VALUES) return false;
  }
  return true;
}
