import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { QUOTAS } from '@switchboard/core';

/**
 * Opens as many batches as a workspace may send at the same time, whose bodies do not arrive. Returns when another one was
 * refused: until then, a request of the test could take a place that none of them takes later.
 */
export async function openBatches(url: string, path: string, token: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 1000000',
  ];
  const sockets = Array.from({ length: QUOTAS.batchesPerWorkspace + 1 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    return socket;
  });
  await Promise.race(sockets.map((socket) => once(socket, 'data')));
  return sockets;
}
