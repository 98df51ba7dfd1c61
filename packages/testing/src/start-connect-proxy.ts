import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { certificatePath } from './redis/certificates.ts';

export const VENDOR_CERTIFICATE_FILE = certificatePath('vendor.pem');
/** A self-signed certificate for `vendor.example`, its subdomains, 93.184.216.34 and 127.0.0.1. */
export const VENDOR_CERTIFICATE = readFileSync(VENDOR_CERTIFICATE_FILE, 'utf8');
const cert = VENDOR_CERTIFICATE;
const key = readFileSync(certificatePath('vendor.key'), 'utf8');

export interface ConnectProxyOptions {
  /** The http origin that answers, behind TLS, for each host that the proxy is asked for. */
  origin: string;
  /** `user:password` that the proxy requires. */
  credentials?: string;
  /** The proxy itself uses TLS, with the certificate of `vendor.example`. */
  tls?: boolean;
  /** Targets that the proxy cannot reach. */
  unreachable?: readonly string[];
  /** Replaces the tunnel. */
  onConnect?: (socket: Socket) => void;
}

export type ConnectProxy = Awaited<ReturnType<typeof startConnectProxy>>;

/** Starts a proxy that stands for the internet: it answers CONNECT, and has the servers behind it. */
export async function startConnectProxy({
  origin,
  credentials,
  tls,
  unreachable = [],
  onConnect,
}: ConnectProxyOptions) {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const expected =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;

  const server = tls === true ? createSecure({ cert, key }) : createPlain();
  server.on('connection', keep);
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    keep(socket);
    targets.push(url);
    if (expected !== undefined && headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    } else if (unreachable.includes(url)) {
      socket.end('HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n');
    } else if (onConnect !== undefined) onConnect(socket);
    else {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      serve(socket);
    }
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Resets by the client are expected.
    socket.on('error', () => {});
  }

  /** Ends TLS in place of the server that the client asked for. */
  function serve(bare: Socket): void {
    const secure = new TLSSocket(bare, { isServer: true, cert, key });
    const { port, hostname } = new URL(origin);
    const inner = connect(Number(port), hostname);
    keep(secure);
    keep(inner);
    secure.pipe(inner).pipe(secure);
    secure.on('close', () => inner.destroy());
    inner.on('close', () => secure.destroy());
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** The target of each CONNECT request. */
    targets,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
