import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** For the status line and headers, informational responses, and the framing of chunks. */
const OVERHEAD_BYTES = 64 * 1_024;
const LONGEST_HEAD_BYTES = 16 * 1_024;
/** As many characters as decide whether a response is informational. */
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const EMPTY = Buffer.alloc(0);

/**
 * Limits what a server may send in response to one request. With the deadline that every caller sets for
 * the whole request, this bounds each response in bytes and in time, however it is sent. Beyond the
 * limit the connection is closed, and the request fails with a reason that names the limit.
 *
 * Also removes informational responses (1xx, RFC 9110 section 15.2) before the final one. undici closes the
 * connection when it receives 100, although any server and proxy may send it.
 *
 * @param maxBytes the limit of the response's body
 */
export function limitResponses(
  connect: buildConnector.connector,
  maxBytes: number,
): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...result) => {
      const [error, socket] = result;
      // After an error, undici passes no second argument.
      if (error === null && socket !== null) limitSocket(socket, maxBytes);
      callback(...result);
    });
  };
}

function limitSocket(socket: Socket, maxBytes: number): void {
  // A body of tiny chunks has several bytes of framing for each of its own.
  const limit = 2 * maxBytes + OVERHEAD_BYTES;
  let bytes = 0;
  // What has arrived of the head of a response; null once the final response has begun.
  let head: Buffer | null = EMPTY;

  // undici writes a request at once, and reads nothing before.
  const write = socket.write.bind(socket);
  socket.write = ((...args: Parameters<typeof write>): boolean => {
    bytes = 0;
    head = EMPTY;
    return write(...args);
  }) as typeof socket.write;

  const read = socket.read.bind(socket) as () => Buffer | null;
  socket.read = (): Buffer | null => {
    for (;;) {
      const chunk = read();
      if (chunk === null) return null;
      bytes += chunk.length;
      if (bytes > limit) return refuse(`The response is longer than ${maxBytes} bytes`);
      if (head === null) return chunk;
      const rest = removeInformational(Buffer.concat([head, chunk]));
      if (rest.isFinal) {
        head = null;
        return rest.left;
      }
      head = rest.left;
      if (head.length > LONGEST_HEAD_BYTES) return refuse('The response has too many headers');
    }
  };

  function refuse(detail: string): null {
    socket.destroy(new Error(detail));
    return null;
  }
}

/** Returns what is left without informational responses, and whether it begins the final response. */
function removeInformational(received: Buffer): { left: Buffer; isFinal: boolean } {
  let left = received;
  for (;;) {
    const start = left.toString('latin1', 0, 12);
    if (start.length < 12 && 'HTTP/1.'.startsWith(start.slice(0, 7))) {
      return { left, isFinal: false };
    }
    const status = Number(STATUS_LINE.exec(start)?.[1] ?? 200);
    // 101 changes the protocol, so no final response follows.
    if (status >= 200 || status === 101) return { left, isFinal: true };
    const end = /\r?\n\r?\n/.exec(left.toString('latin1'));
    if (end === null) return { left, isFinal: false };
    left = left.subarray(end.index + end[0].length);
  }
}
