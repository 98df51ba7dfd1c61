import { randomBytes } from 'node:crypto';
import { request } from 'node:http';

export interface AppResponse {
  status: number;
  body: string;
}

export interface AppRequest {
  method: string;
  path: string;
  token?: string | undefined;
  json?: object | undefined;
  headers?: Record<string, string>;
  raw?: string | Buffer;
  /** Requests a WebSocket upgrade and closes the socket. */
  upgrade?: boolean | undefined;
}

/** Sends any request, including upgrades, on a new connection. */
export function askApp(url: string, options: AppRequest): Promise<AppResponse> {
  const body = options.json === undefined ? options.raw : JSON.stringify(options.json);
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${options.path}`, {
      method: options.method,
      agent: false,
      headers: {
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(options.json !== undefined && { 'content-type': 'application/json' }),
        // Node sends none for DELETE.
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        ...(options.upgrade === true && {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': randomBytes(16).toString('base64'),
        }),
        ...options.headers,
      },
    });
    sent.setTimeout(25_000, () => sent.destroy(new Error(`${options.path}: no response`)));
    sent.once('error', reject);
    sent.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.end(body);
  });
}
