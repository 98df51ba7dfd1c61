import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';

/** Holds many WebSockets to one workspace, and tells when each has got a `message.created`. */
const [url = '', apiKey = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const OPENING_AT_ONCE = 100;

let arrivals: number[] = [];

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** No WebSocket library: ten thousand of its sockets would need more memory than what is measured. */
function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let isReady = false;
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      if (chunk.includes('"message.created"')) arrivals.push(now());
      if (isReady || !chunk.includes('"ready"')) return;
      isReady = true;
      resolve(socket);
    });
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\n` +
        `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        `Authorization: Bearer ${apiKey}\r\n\r\n`,
    );
  });
}

const sockets: Socket[] = [];
while (sockets.length < Number(count)) {
  const number = Math.min(OPENING_AT_ONCE, Number(count) - sockets.length);
  sockets.push(...(await Promise.all(Array.from({ length: number }, open))));
}
process.on('message', () => {
  process.send?.(arrivals);
  arrivals = [];
});
process.on('disconnect', () => process.exit(0));
process.send?.('open');
