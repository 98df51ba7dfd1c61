import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

/**
 * Requests that never become one: what Node's parser refuses (headers too large, no HTTP at all,
 * too slow) would get an answer of its own, or none.
 */
export function answerBrokenRequests(app: FastifyInstance): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = errorBody('The Expect header asks for what this service does not do');
    response.writeHead(400, { 'content-type': 'application/json; charset=utf-8' }).end(body);
  });
}

export function onClientError(error: Error & { code?: string }, socket: Socket): void {
  // The other side is gone, or an answer is under way that must not be cut by a second one.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const body = errorBody(describeClientError(error.code));
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n' +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function describeClientError(code: string | undefined): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'The request headers are too large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The request took too long to arrive';
    default:
      return 'The request is not valid HTTP';
  }
}

function errorBody(detail: string): string {
  const { code, message } = new AppError('invalid_params', detail);
  return JSON.stringify({ error: code, detail: message });
}
