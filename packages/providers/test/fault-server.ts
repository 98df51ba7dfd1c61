import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A self-signed certificate for `localhost`, used only by these tests. */
export const LOCALHOST_CERTIFICATE = read('localhost.pem');

function read(name: string): string {
  return readFileSync(new URL(`./certificates/${name}`, import.meta.url), 'utf8');
}

export interface ReceivedRequest {
  method: string;
  path: string;
  /** Header names are in lower case. */
  headers: ReadonlyMap<string, string>;
  body: string;
  socket: Socket;
}

export interface FaultServerOptions {
  tls?: boolean;
  /** Called with the raw connection; TLS starts when it resolves. */
  onConnection?: (socket: Socket) => Promise<void> | void;
}

export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>;

/**
 * Serves HTTP on raw sockets, so that a test controls every byte and every close, and counts what
 * arrived. `onRequest` receives each complete request and may answer it.
 */
export async function startFaultServer(
  onRequest: (request: ReceivedRequest) => void,
  options: FaultServerOptions = {},
) {
  const sockets = new Set<Socket>();
  const server = {
    url: '',
    connections: 0,
    /** Application bytes, inside TLS. */
    bytesReceived: 0,
    requests: [] as ReceivedRequest[],
    onRequest,
    isListening: () => listener.listening,
    async close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
      await once(listener, 'close');
    },
  };

  const listener = createServer((bare) => {
    server.connections += 1;
    sockets.add(bare);
    bare.on('close', () => sockets.delete(bare));
    // Resets by the client are expected.
    bare.on('error', () => {});
    void (async () => {
      await options.onConnection?.(bare);
      receive(options.tls === true ? startTls(bare) : bare);
    })();
  });

  function receive(socket: Socket): void {
    let pending = '';
    socket.on('data', (chunk: Buffer) => {
      server.bytesReceived += chunk.length;
      pending += chunk.toString('latin1');
      for (let next = takeRequest(pending, socket); next !== null;) {
        pending = pending.slice(next.length);
        server.requests.push(next.request);
        server.onRequest(next.request);
        next = takeRequest(pending, socket);
      }
    });
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  server.url = options.tls === true ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  return server;
}

function startTls(bare: Socket): Socket {
  const secure = new TLSSocket(bare, {
    isServer: true,
    cert: LOCALHOST_CERTIFICATE,
    key: read('localhost-key.pem'),
  });
  secure.on('error', () => {});
  return secure;
}

function takeRequest(text: string, socket: Socket) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [requestLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const length = headEnd + 4 + Number(headers.get('content-length') ?? 0);
  if (text.length < length) return null;
  const [method = '', path = ''] = requestLine.split(' ');
  const body = text.slice(headEnd + 4, length);
  return { length, request: { method, path, headers, body, socket } };
}

/** Formats a response. A `contentLength` larger than the body makes the body incomplete. */
export function formatResponse(
  status: number,
  body: string,
  headers: Record<string, string> = {},
  contentLength = Buffer.byteLength(body),
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\ncontent-length: ${contentLength}\r\n${lines.join('')}\r\n${body}`;
}

export function respond(
  request: ReceivedRequest,
  status: number,
  body: unknown,
  headers?: Record<string, string>,
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  request.socket.write(formatResponse(status, text, headers));
}
