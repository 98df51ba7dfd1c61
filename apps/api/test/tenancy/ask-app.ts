import { randomBytes } from 'node:crypto';
import { request } from 'node:http';

export interface AppAnswer {
  status: number;
  body: string;
}

export interface AppRequest {
  method: string;
  path: string;
  token?: string | undefined;
  json?: object | undefined;
  headers?: Record<string, string>;
  raw?: string;
  /** Asks for a WebSocket, and hangs up when it gets one. */
  upgrade?: boolean | undefined;
}

/** A request of any kind, upgrades included, over a connection of its own. */
export function askApp(url: string, options: AppRequest): Promise<AppAnswer> {
  const body = options.json === undefined ? options.raw : JSON.stringify(options.json);
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${options.path}`, {
      method: options.method,
      agent: false,
      headers: {
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(options.json !== undefined && { 'content-type': 'application/json' }),
        ...(options.upgrade === true && {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': randomBytes(16).toString('base64'),
        }),
        ...options.headers,
      },
    });
    asked.setTimeout(10_000, () => asked.destroy(new Error(`${options.path}: no answer`)));
    asked.once('error', reject);
    asked.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    asked.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    asked.end(body);
  });
}
