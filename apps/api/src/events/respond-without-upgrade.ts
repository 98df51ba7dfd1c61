import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings']);

/**
 * Answers a request as if it had not offered an upgrade, as a server does with a protocol that it
 * does not support (RFC 9110, 7.8). Some clients offer one with every first request, for example
 * Java (h2c) and `curl --http2`. Node 20 detaches the parser from such a request, so we put the
 * request back on the connection without those headers, and give the connection back to the server.
 */
export function respondWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  rest: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? '';
    const value = request.rawHeaders[index + 1] ?? '';
    if (UPGRADE_HEADERS.has(name)) continue;
    lines.push(`${name}: ${name === 'connection' ? withoutUpgrade(value) : value}`);
  }
  // Header values were read as latin1.
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  restoreSocket(socket);
  socket.unshift(Buffer.concat([head, rest]));
  server.emit('connection', socket);
}

/**
 * Removes the listeners that Node's server leaves on a detached connection. The server adds them
 * again, so each returned request would otherwise add more for the lifetime of the connection.
 */
function restoreSocket(socket: Duplex): void {
  for (const event of ['pause', 'resume']) socket.removeAllListeners(event);
  // The server overrides these methods of the prototype on the connection.
  for (const name of ['on', 'addListener', 'prependListener', 'setEncoding']) {
    Reflect.deleteProperty(socket, name);
  }
}

function withoutUpgrade(connection: string): string {
  return connection
    .split(',')
    .map((option) => option.trim())
    .filter((option) => !UPGRADE_HEADERS.has(option.toLowerCase()))
    .join(', ');
}
