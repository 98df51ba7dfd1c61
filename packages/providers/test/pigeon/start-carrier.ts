import { createHmac } from 'node:crypto';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A recipient who has opted out. */
export const OPTED_OUT = '+14155550199';

interface Wanted {
  to: string;
  from: string;
  text: string;
  reference: string;
  callback: string;
}

/**
 * Starts the invented vendor's API, which sends the callback `landed` for every note that it
 * accepts.
 */
export async function startPigeonCarrier({ loft, token }: { loft: string; token: string }) {
  const notes: (Wanted & { note: string })[] = [];

  function post(url: string, content: object, key = token): Promise<Response> {
    const body = JSON.stringify({ loft, ...content });
    const ring = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-pigeon-ring': ring };
    return fetch(url, { method: 'POST', headers: { ...headers, connection: 'close' }, body });
  }

  function respond(request: IncomingMessage, body: string): [number, object] {
    if (request.headers.authorization !== `Bearer ${token}`) return [401, {}];
    if (request.url === '/loft') return [200, { loft }];
    if (request.method !== 'POST') return [404, {}];
    const wanted = JSON.parse(body) as Wanted;
    if (wanted.to === OPTED_OUT) return [422, { reason: 'no_more_pigeons' }];
    const note = { ...wanted, note: `note${notes.length}`, loft };
    notes.push(note);
    void post(wanted.callback, { ...note, state: 'landed' });
    return [200, { ...note, state: 'perched' }];
  }

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const [status, content] = respond(request, body);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, notes, post };
}
