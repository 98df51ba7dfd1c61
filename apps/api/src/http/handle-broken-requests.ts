import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';
import { ERROR_STATUS } from './error-status.ts';
import { JSON_HEADERS } from './json-headers.ts';

/** The current or last response of a connection. */
const responses = new WeakMap<Socket, ServerResponse>();

/**
 * Answers requests that Node's parser refuses (headers too large, not HTTP, too slow), because
 * Node's own responses are missing or not JSON.
 */
export function handleBrokenRequests(app: FastifyInstance): void {
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response);
  });
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = describe(
      new AppError(
        'invalid_params',
        'The service does not support this value of the Expect header',
      ),
    );
    response.writeHead(status, headers).end(body);
  });
  // Node's own refusal of a request without a Host header has no body.
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isRefused = raw.httpVersion === '1.1' && raw.headers.host === undefined;
    done(isRefused ? new AppError('invalid_params', 'The Host header is missing') : undefined);
  });
}

/** Finds the last response on a connection if it is not written yet. Responses keep their order. */
export function findUnfinishedResponse(socket: Socket): ServerResponse | null {
  const response = responses.get(socket);
  return response === undefined || response.writableFinished || response.destroyed
    ? null
    : response;
}

interface ClientError extends Error {
  code?: string;
  /** The bytes that the parser had read; Fastify's types have another name for them. */
  rawPacket?: unknown;
}

export function onClientError(error: ClientError, socket: Socket): void {
  const response = responses.get(socket);
  const isResponding = response !== undefined && response.headersSent && !response.writableFinished;
  // The client has disconnected, or a response is being written that a second one must not
  // interrupt.
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = describe(toAppError(error));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** A well-formed request line, whose method the parser may not support. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \/\S* HTTP\/1\.[01]\r\n/;

function toAppError({ code, rawPacket }: ClientError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('invalid_params', 'The request headers are too large');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('invalid_params', 'The request took too long to arrive');
  }
  if (code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(rawPacket)) {
    if (REQUEST_LINE.test(rawPacket.toString('latin1'))) {
      return new AppError('not_found', 'No such route');
    }
  }
  return new AppError('invalid_params', 'The request is not valid HTTP');
}

function describe(error: AppError) {
  const body = JSON.stringify({ error: error.code, detail: error.message });
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': randomUUID(),
    ...JSON_HEADERS,
  };
  return { status: ERROR_STATUS[error.code], headers, body };
}
