import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings']);

/**
 * Answers a request as though it had not asked for an upgrade, which is what a server does with
 * one it does not offer (RFC 9110, 7.8). Some clients ask on every first request: Java's for h2c,
 * `curl --http2`. Node 20 hands such a request out with its parser gone, so we put it back on the
 * connection without those headers, and the connection back to the server.
 */
export function answerWithoutUpgrade(
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
  removeTraces(socket);
  socket.unshift(Buffer.concat([head, rest]));
  server.emit('connection', socket);
}

/**
 * Takes off what Node's server leaves on a connection that it hands out, and would put on it a second
 * time: each request that is put back would otherwise add to it, for as long as the connection lives.
 */
function removeTraces(socket: Duplex): void {
  for (const event of ['pause', 'resume']) socket.removeAllListeners(event);
  // Its own versions of these methods lie over those of the prototype.
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
