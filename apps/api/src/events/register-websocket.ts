import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import { EVENTS_SUBPROTOCOL } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';
import { findUnfinishedResponse } from '../http/handle-broken-requests.ts';
import { ERROR_STATUS } from '../http/error-status.ts';
import { respondWithoutUpgrade } from './respond-without-upgrade.ts';
import { EVENTS_PATH, upgradeHeaders } from './event-routes.ts';
import type { Hub } from './hub.ts';

const MAX_CLIENT_FRAME_BYTES = 16 * 1024;
/** How long a client may take to respond to our close frame. Its buffer is kept until then. */
const CLOSE_TIMEOUT_MS = 10_000;

// Declared separately because the types do not have `closeTimeout` yet.
const SERVER_OPTIONS = {
  maxPayload: MAX_CLIENT_FRAME_BYTES,
  perMessageDeflate: false,
  closeTimeout: CLOSE_TIMEOUT_MS,
  // The hub tracks its sockets.
  clientTracking: false,
  handleProtocols: (offered: ReadonlySet<string>) =>
    offered.has(EVENTS_SUBPROTOCOL) && EVENTS_SUBPROTOCOL,
};

/**
 * Enables upgrades on the app; call it before any route is registered. Closing the app closes the
 * hub's sockets.
 */
export async function registerWebsocket(
  app: FastifyInstance,
  hub: Pick<Hub, 'close'>,
): Promise<void> {
  await app.register(websocket, {
    options: SERVER_OPTIONS,
    preClose: () => hub.close(),
    errorHandler(error, socket, request) {
      // `ws` has already responded to a client's error with a close frame.
      if (socket.readyState !== socket.OPEN) {
        request.log.debug({ err: error }, 'socket failed');
        return;
      }
      request.log.error({ err: error }, 'socket failed');
      socket.close(1011);
    },
  });

  app.websocketServer.on('headers', (headers, request) => {
    for (const [name, value] of Object.entries(upgradeHeaders.get(request) ?? {})) {
      headers.push(`${name}: ${value}`);
    }
  });
  app.websocketServer.on('wsClientError', (error, socket, request) => {
    refuseHandshake(socket, request, new AppError('invalid_params', error.message));
  });
  narrowUpgrades(app);
}

/**
 * With an upgrade listener, Node treats any request with an `Upgrade` header as an upgrade. All
 * upgrades, to a WebSocket or not, wait for the responses to earlier pipelined requests on their
 * connection: `ws` writes its 101 immediately, and a new parser does not have the queue of the old
 * one.
 */
function narrowUpgrades(app: FastifyInstance): void {
  // Node 24.9 and later parse the body of an upgrade themselves, so it cannot be put back on the connection.
  // They answer such a request as if it had not offered an upgrade, if this function returns false:
  // https://github.com/nodejs/node/pull/60016
  Object.assign(app.server, {
    shouldUpgradeCallback: (request: IncomingMessage) => isForEvents(request) || !hasBody(request),
  });
  const listeners = app.server.listeners('upgrade');
  app.server.removeAllListeners('upgrade');
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    afterEarlierResponses(request, socket, () => {
      if (isForEvents(request)) {
        for (const listener of listeners) listener.call(app.server, request, socket, head);
      } else {
        respondWithoutUpgrade(app.server, request, socket, head);
      }
    });
  });
}

function isForEvents({ method, headers, url = '' }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return method === 'GET' && isWebSocket && EVENTS_PATH.test(url);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function afterEarlierResponses(
  request: IncomingMessage,
  socket: Duplex,
  proceed: () => void,
): void {
  const last = findUnfinishedResponse(request.socket);
  if (last === null) return proceed();
  // Node has removed its own listeners. Without this listener, a failed connection ends the
  // process.
  const ignore = () => undefined;
  socket.on('error', ignore);
  last.once('close', () => {
    socket.off('error', ignore);
    // A response with `Connection: close` was the last on its connection.
    if (socket.writable) proceed();
  });
}

/** Answers an invalid handshake of a request that was already authorized. */
function refuseHandshake(socket: Duplex, request: IncomingMessage, error: AppError): void {
  const body = JSON.stringify({ error: error.code, detail: error.message });
  const status = ERROR_STATUS[error.code];
  const own = Object.entries(upgradeHeaders.get(request) ?? {});
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...own.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
