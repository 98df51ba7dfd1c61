import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import { withoutBrackets } from './resolve-allowed.ts';

export interface TunnelOptions {
  /** The http or https URL of the proxy, with its credentials. */
  url: string;
  /** Trusted CA certificates in PEM that replace the system's. */
  ca?: string | undefined;
}

/**
 * Creates a function that opens a connection through the proxy to `host:port` (RFC 9110 section 9.3.6).
 * `timeoutMs` limits the connection to the proxy and its response. The errors say that they are the proxy's, and contain neither its address nor its credentials, because owners
 * of workspaces read them.
 */
export function createOpenTunnel({ url, ca }: TunnelOptions) {
  const proxy = new URL(url);
  const isSecure = proxy.protocol === 'https:';
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;

  return function openTunnel(target: string, timeoutMs: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const request = (isSecure ? requestSecure : requestPlain)({
        method: 'CONNECT',
        path: target,
        host: withoutBrackets(proxy.hostname),
        port: proxy.port || (isSecure ? 443 : 80),
        headers: {
          host: target,
          ...(credentials !== ':' && { 'proxy-authorization': authorization }),
        },
        // The connection is the caller's as soon as the proxy has agreed.
        agent: false,
        ...(ca !== undefined && { ca }),
      });
      const deadline = setTimeout(() => {
        const detail = `did not respond to CONNECT ${target} within ${timeoutMs} ms`;
        request.destroy(new Error(detail));
      }, timeoutMs);
      request.on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
        clearTimeout(deadline);
        if (statusCode >= 200 && statusCode < 300) {
          // The first bytes of the server may arrive together with the response of the proxy.
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
          return;
        }
        socket.destroy();
        const advice = statusCode === 407 ? ': it needs a valid user name and password' : '';
        reject(toError(`responded with ${statusCode} to CONNECT ${target}${advice}`));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(deadline);
        const { code, message } = error;
        reject(
          toError(code === undefined ? message : `can't be used for ${target} (${code})`, error),
        );
      });
      request.end();
    });
  };
}

function toError(problem: string, cause?: Error): Error {
  return new Error(`The proxy in HTTPS_PROXY ${problem}`, { cause });
}
