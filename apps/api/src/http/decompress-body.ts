import { createGunzip } from 'node:zlib';
import { AppError } from '@switchboard/core';
import type { preParsingHookHandler } from 'fastify';

/**
 * Decompresses a body with `Content-Encoding: gzip` on the thread pool, while it arrives. Fastify refuses it when
 * more bytes than the route's limit have been decompressed, and the rest is then not decompressed.
 */
export const decompressBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return done(null, payload);
  // RFC 9110: `x-gzip` is equivalent.
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    return done(new AppError('invalid_params', '`Content-Encoding` must be gzip, or absent'));
  }
  const limit = request.routeOptions.bodyLimit;
  const gunzip = createGunzip();
  let received = 0;
  let decompressed = 0;
  payload.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // Bytes after the end of the gzip data, or members without content: nothing that Fastify could count.
    if (received > limit) stop(tooLarge());
  });
  gunzip.on('data', (chunk: Buffer) => {
    decompressed += chunk.length;
    if (decompressed > limit) stop();
  });
  // Fastify listens only until it has refused the body.
  gunzip.on('error', () => undefined);
  // A client that disconnects ends the body without its end.
  payload.once('error', (error) => gunzip.destroy(error));
  payload.once('close', () => {
    if (!payload.readableEnded) gunzip.destroy(new Error('The request was aborted'));
  });
  payload.pipe(gunzip);
  done(
    null,
    Object.defineProperty(gunzip, 'receivedEncodedLength', {
      get: () => received,
      enumerable: true,
    }),
  );

  function stop(error?: Error): void {
    payload.unpipe(gunzip);
    // Discards what still arrives, as Fastify does with a body that is too large.
    payload.resume();
    gunzip.destroy(error);
  }
};

/** Has the code that Fastify gives a body beyond the limit. */
function tooLarge(): Error {
  return Object.assign(new Error('The request body is too large'), {
    code: 'FST_ERR_CTP_BODY_TOO_LARGE',
  });
}
