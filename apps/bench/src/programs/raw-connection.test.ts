import { type Socket, createServer } from 'node:net';
import { listen } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openRawConnection } from './raw-connection.ts';

/** Connects to a server that runs `answer` for each connection. */
async function connectTo(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('data', () => answer(socket));
    socket.on('error', () => undefined);
  });
  const { port, close } = await listen(server);
  const connection = await openRawConnection('127.0.0.1', port);
  onTestFinished(async () => {
    connection.close();
    await close();
  });
  return connection;
}

test('a raw connection reads a response that arrives in many chunks up to the end of its body', async () => {
  const pieces = ['HTTP/1.1 20', '1 Created\r\nContent-Length: 6\r', '\n\r\nabc', 'def'];
  const connection = await connectTo((socket) => {
    pieces.forEach((piece, number) => setTimeout(() => socket.write(piece), 5 * number));
  });
  expect(await connection.exchange('x')).toBe(201);
  expect(await connection.exchange('x')).toBe(201);
});

test('a raw connection reads a response without a body', async () => {
  const connection = await connectTo((socket) => socket.write('HTTP/1.1 503 Unavailable\r\n\r\n'));
  expect(await connection.exchange('x')).toBe(503);
});

test('a raw connection rejects when the connection ends without a response', async () => {
  const connection = await connectTo((socket) => socket.end());
  await expect(connection.exchange('x')).rejects.toThrow('closed');
});
