import { createConnection } from 'node:net';
import { expect } from 'vitest';
import { service } from './environment.ts';

/** Parses a response that was read from a socket. */
export function parseResponses(
  received: string,
): { status: number; head: string; body: Record<string, unknown> | null }[] {
  return received
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part !== '' && !part.startsWith('HTTP/1.1 100'))
    .map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n');
      return {
        status: Number(head.split(' ')[1]),
        head: head.toLowerCase(),
        body: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : null,
      };
    });
}

export function expectRawRefusal(received: string, status: number, error: string): void {
  const response = parseResponses(received).at(-1);
  expect([response?.status, response?.body]).toEqual([
    status,
    { error, detail: expect.any(String) },
  ]);
  expect(response?.head).toContain('x-request-id:');
  expect(response?.head).toContain('content-type: application/json');
}

/** Writes the second part after the response to the first. */
export function sendRawInTurn(first: string, second: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection(Number(port), hostname, () => socket.write(first));
    let received = '';
    socket.setTimeout(20_000, () => {
      socket.destroy();
      reject(new Error(`The connection stays open after: ${received}`));
    });
    socket.on('data', (chunk) => {
      const isFirst = received === '';
      received += chunk.toString();
      if (isFirst) socket.write(second);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}
