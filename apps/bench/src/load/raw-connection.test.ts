import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openRawConnection } from './raw-connection.ts';

/** Answers every request with what the test says, piece by piece. */
async function connectTo(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('data', () => answer(socket));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = await openRawConnection('127.0.0.1', port);
  onTestFinished(async () => {
    connection.close();
    server.close();
    await once(server, 'close');
  });
  return connection;
}

test('an answer ends with its body, in however many pieces it comes', async () => {
  const pieces = ['HTTP/1.1 20', '1 Created\r\nContent-Length: 6\r', '\n\r\nabc', 'def'];
  const connection = await connectTo((socket) => {
    pieces.forEach((piece, number) => setTimeout(() => socket.write(piece), 5 * number));
  });
  expect(await connection.exchange('x')).toBe(201);
  expect(await connection.exchange('x')).toBe(201);
});

test('an answer without a body is one too', async () => {
  const connection = await connectTo((socket) => socket.write('HTTP/1.1 503 Away\r\n\r\n'));
  expect(await connection.exchange('x')).toBe(503);
});

test('a connection that ends without an answer is a failure', async () => {
  const connection = await connectTo((socket) => socket.end());
  await expect(connection.exchange('x')).rejects.toThrow('closed');
});
