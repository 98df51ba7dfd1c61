import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';

/** A pong without a payload, masked as the protocol requires of clients. */
const EMPTY_PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/**
 * Opens a WebSocket to a workspace's events and resolves when it is ready. Uses no WebSocket library,
 * because ten thousand of a library's sockets need more memory than the process under test.
 */
export function openEventSocket(
  url: string,
  apiKey: string,
  onFrame: (text: string) => void,
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let rest: Buffer = Buffer.alloc(0);
    let isUpgraded = false;
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isUpgraded) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end === -1) {
          rest = bytes;
          return;
        }
        isUpgraded = true;
        bytes = bytes.subarray(end + 4);
      }
      for (;;) {
        const frame = readFrame(bytes);
        if (frame === null) break;
        bytes = bytes.subarray(frame.length);
        if (frame.isPing) socket.write(EMPTY_PONG);
        else if (frame.text.includes('"ready"')) resolve(socket);
        else onFrame(frame.text);
      }
      // A copy, because a slice would keep the whole chunk in memory.
      rest = Buffer.from(bytes);
    });
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\n` +
        `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        `Authorization: Bearer ${apiKey}\r\n\r\n`,
    );
  });
}

/** Reads the first frame, which is unfragmented and unmasked. Returns null while it is incomplete. */
function readFrame(bytes: Buffer): { text: string; length: number; isPing: boolean } | null {
  const isPing = bytes[0] === 0x89;
  const short = (bytes[1] ?? 0) & 0x7f;
  const header = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < header) return null;
  const body =
    short === 127
      ? Number(bytes.readBigUInt64BE(2))
      : short === 126
        ? bytes.readUInt16BE(2)
        : short;
  if (bytes.length < header + body) return null;
  const length = header + body;
  return { text: bytes.toString('latin1', header, length), length, isPing };
}
