import { type Socket, createServer } from 'node:net';
import { listen } from '@switchboard/testing/listen';
import { readPlan } from './program.ts';

/**
 * An SMPP server that accepts any bind, then sends `enquire_link` as fast as the connection takes
 * them, and reads nothing more. Reports its port.
 */
const ENQUIRE_LINK = 0x15;
const RESPONSE = 0x80000000;
const HEADER_BYTES = 16;
const FLOOD = Buffer.concat(Array.from({ length: 4_096 }, (_, n) => pdu(ENQUIRE_LINK, n + 1)));

function pdu(command: number, sequence: number, body = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(HEADER_BYTES + body.length, 0);
  header.writeUInt32BE(command, 4);
  header.writeUInt32BE(sequence, 12);
  return Buffer.concat([header, body]);
}

function flood(socket: Socket): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(FLOOD));
  };
  socket.on('drain', more);
  more();
}

readPlan();
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (bind: Buffer) => {
    const response = (bind.readUInt32BE(4) | RESPONSE) >>> 0;
    socket.write(pdu(response, bind.readUInt32BE(12), Buffer.from('flood\0')));
    socket.pause();
    flood(socket);
  });
});
process.send?.((await listen(server)).port);
