import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { encodeFrames } from './encode-frames.ts';

test('a WebSocket client receives encoded frames of any length as one text each, in their order', async () => {
  const lengths = [0, 1, 125, 126, 65_535, 65_536, 100_000, 2];
  const texts = lengths.map((length, n) => String(n).repeat(length));
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (_socket, { socket: stream }) => {
    stream.write(encodeFrames(texts.map((text) => Buffer.from(text))));
  });
  onTestFinished(async () => {
    for (const socket of server.clients) socket.terminate();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: string[] = [];
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('message', (data: Buffer, isBinary) => {
      received.push(isBinary ? 'binary' : data.toString());
      if (received.length === texts.length) resolve();
    });
  });
  expect(received).toEqual(texts);
});
