import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** Below it, an answer fits into a few packets, and compressing costs more than it saves. */
const MIN_CHARACTERS = 4_096;
/** Level 1 takes a third of the time of the default, for a tenth more bytes. */
const LEVEL = 1;

/**
 * Compresses long JSON answers, on the thread pool: the event loop only hands them over. Short ones,
 * all answers to a send among them, pass after one comparison; streams (media, the dashboard's own
 * files) and WebSockets are left alone. That the body tells by its length what is in it is no danger
 * here: a foreign page can't ask with a credential, which is never in a cookie.
 */
export function compressAnswers(app: FastifyInstance): void {
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

/** Whether a client accepts gzip (RFC 9110): listed, or `*`, and not with a weight of zero. */
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
