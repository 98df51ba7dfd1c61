import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** A shorter response fits into a few packets, and compressing it costs more than it saves. */
const MIN_CHARACTERS = 4_096;
/** Level 1 takes a third of the time of the default, for a tenth more bytes. */
const LEVEL = 1;

/**
 * Compresses long JSON responses on the thread pool, off the event loop. Short responses, such as
 * all responses to a send, pass after one comparison; streams (media, files of the dashboard) and
 * WebSockets are not compressed. The length of a compressed body cannot leak secrets to a foreign
 * page (BREACH), because that page cannot send a credential, which is never in a cookie.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < MIN_CHARACTERS) {
      done(null, payload);
      return;
    }
    const type = reply.getHeader('content-type');
    if (typeof type !== 'string' || !type.startsWith('application/json')) {
      done(null, payload);
      return;
    }
    reply.header('vary', 'accept-encoding');
    if (request.method === 'HEAD' || !acceptsGzip(request.headers['accept-encoding'])) {
      done(null, payload);
      return;
    }
    gzip(payload, { level: LEVEL }, (error, compressed) => {
      if (error !== null) return done(error);
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      done(null, compressed);
    });
  });
}

/** Returns whether a client accepts gzip (RFC 9110): it is listed, or `*` is, with a weight above zero. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const listed = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim());
        const weight = parameters.find((part) => part.startsWith('q='))?.slice(2);
        return [coding, weight === undefined || Number(weight) > 0] as const;
      }),
  );
  return listed.get('gzip') ?? listed.get('*') ?? false;
}
