import { type Socket, connect } from 'node:net';
import { QUOTAS } from '@switchboard/core';

/** Opens more batches than a workspace may send at the same time, whose bodies do not arrive. */
export function openBatches(url: string, path: string, token: string): Socket[] {
  const { hostname, port } = new URL(url);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 1000000',
  ];
  return Array.from({ length: QUOTAS.batchesPerWorkspace + 5 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    return socket;
  });
}
