import { DETAILS, FAILURE_DETAILS } from '@switchboard/contracts';
import { AppError, BatchFullError } from '@switchboard/core';
import { HashQueueFullError } from '@switchboard/credentials';
import { isDatabaseUnavailable } from '@switchboard/database';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS } from './error-status.ts';
import { JSON_HEADERS } from './json-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The error code of an unexpected failure of the route; `internal_error` unless set. */
    failureCode?: 'send_failed' | 'update_failed';
  }
}

const MEBIBYTE = 1024 * 1024;

/** Gives every error response the body `{ error, detail }`, including those of the framework. */
export function handleErrors(app: FastifyInstance): void {
  const noSuchRoute = () => new AppError('not_found', 'No such route');
  app.setNotFoundHandler((_request, reply) => sendError(reply, noSuchRoute()));
  // Before the body is read, because an unknown route takes precedence over an invalid body.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 || hasEmptyParameter(request) ? noSuchRoute() : undefined);
  });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = describeError(error, request);
    const status = ERROR_STATUS[known.code];
    // Errors are logged once, here, where the response is sent.
    if (status >= 500) {
      const level = isNotReady(known, request) ? 'debug' : 'error';
      request.log[level]({ err: error, error_code: known.code }, 'request failed');
    }
    sendError(reply, known);
  });
}

/**
 * A probe that finds the process not ready has not failed. A proxy repeats the probe, even during
 * each restart, and the process itself logs which part is not available.
 */
function isNotReady({ code }: AppError, request: FastifyRequest): boolean {
  return code === 'service_unavailable' && request.routeOptions.config.log === 'probe';
}

/**
 * Checks for an empty path parameter: the router matches `/api/messages/` as the path of a message
 * with an empty id. The `*` of a route may be empty.
 */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  for (const name in params as object) {
    if (name !== '*' && (params as Record<string, unknown>)[name] === '') return true;
  }
  return false;
}

export function sendError(reply: FastifyReply, error: AppError): void {
  if (error.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(error.retryAfterSeconds));
  }
  void reply
    .code(ERROR_STATUS[error.code])
    .type('application/json; charset=utf-8')
    .headers(JSON_HEADERS)
    .send({ error: error.code, detail: error.message });
}

/** Returns the HTTP status of the response to an error. */
export function statusOf(error: FastifyError, request: FastifyRequest): number {
  return ERROR_STATUS[describeError(error, request).code];
}

function describeError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const refused = describeRefusedRequest(error, request);
  if (refused !== null) return new AppError('invalid_params', refused, { cause: error });
  return describeFailure(error, request.routeOptions.config.failureCode ?? 'internal_error');
}

/** Returns the error that a client gets; `code` is that of an unexpected failure. */
export function describeFailure(error: unknown, code: keyof typeof FAILURE_DETAILS): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof BatchFullError || error instanceof HashQueueFullError) {
    return unavailable('The service is overloaded', error);
  }
  if (isDatabaseUnavailable(error)) return unavailable(DETAILS.databaseUnavailable, error);
  return new AppError(code, FAILURE_DETAILS[code], { cause: error });
}

function unavailable(detail: string, cause: unknown): AppError {
  return new AppError('service_unavailable', detail, { cause, retryAfterSeconds: 1 });
}

/** Provider webhooks are forms; all other bodies are JSON. */
function readableType({ server }: FastifyRequest): string {
  const json = 'application/json';
  return server.hasContentTypeParser(json) ? json : 'application/x-www-form-urlencoded';
}

/** Requests that the framework itself refuses. */
function describeRefusedRequest(error: FastifyError, request: FastifyRequest): string | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return `The request body must have at most ${describeBytes(request.routeOptions.bodyLimit)}`;
    // Errors of zlib.
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return 'The request body is not valid gzip';
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return `The request body must be sent as \`Content-Type: ${readableType(request)}\``;
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'The length of the request body differs from Content-Length';
    case 'FST_ERR_BAD_URL':
      return 'The request path is malformed';
    default:
      // All other errors that the framework attributes to the client.
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? DETAILS.malformed
        : null;
  }
}

function describeBytes(bytes: number): string {
  return bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`;
}
