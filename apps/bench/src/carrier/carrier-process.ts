import { randomBytes } from 'node:crypto';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createCallbackSender } from './callback-sender.ts';

/**
 * A carrier that uses very little CPU time, so that benchmarks measure the service. It accepts
 * every message, responds like Twilio, and sends two callbacks with Twilio's signature after the delays
 * of the simulator. It stores nothing, parses only the parts of a request that it needs, and keeps
 * connections open. `PUT /latency/200` delays responses by 200 ms. `PUT /callbacks/off` stops callbacks.
 * `PUT /answers/hold` holds the responses to messages until `PUT /answers/send`. `GET /accepted` returns the
 * number of accepted messages.
 */
const SENT_AFTER_MS = 60;
const DELIVERED_AFTER_MS = 90;

let latencyMs = 0;
let callsBack = true;
/** Responses that wait for `PUT /answers/send`. Null while responses are sent. */
let held: (() => void)[] | null = null;
const sender = createCallbackSender();

interface Request {
  method: string;
  path: string;
  authorization: string;
  body: string;
}

/** Serves the requests of one connection, one after another. */
function serve(socket: Socket): void {
  let received = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < head + 4 + length) return;
    const [method = '', path = ''] = received.slice(0, received.indexOf('\r\n')).split(' ');
    const authorization = /\r\nauthorization: *Basic ([^\r]+)/i.exec(received)?.[1] ?? '';
    const body = received.slice(head + 4);
    received = '';
    answer(socket, { method, path, authorization, body });
  });
}

function answer(socket: Socket, request: Request): void {
  if (request.method === 'PUT') {
    const [, name, value] = request.path.split('/');
    if (name === 'latency') latencyMs = Number(value);
    else if (name === 'callbacks') callsBack = value === 'on';
    else if (name === 'answers') hold(value === 'hold');
    else return respond(socket, '404 Not Found', '{}');
    respond(socket, '200 OK', '{}');
  } else if (request.path === '/accepted') {
    respond(socket, '200 OK', String(count));
  } else if (request.method === 'POST' && request.path.endsWith('/Messages.json')) {
    const text = accept(request);
    if (held !== null) held.push(() => respond(socket, '201 Created', text));
    else if (latencyMs === 0) respond(socket, '201 Created', text);
    else setTimeout(respond, latencyMs, socket, '201 Created', text);
  } else {
    respond(socket, '404 Not Found', '{}');
  }
}

function hold(holds: boolean): void {
  const waiting = held ?? [];
  held = holds ? waiting : null;
  if (!holds) for (const send of waiting) send();
}

function respond(socket: Socket, status: string, body: string): void {
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
}

let lastAccount = '';
let lastToken = '';
let lastAuthorization = '';
/** Most requests have the credentials of the previous request, so these are decoded once. */
function decodeCredentials(authorization: string): void {
  if (authorization === lastAuthorization) return;
  lastAuthorization = authorization;
  [lastAccount = '', lastToken = ''] = Buffer.from(authorization, 'base64').toString().split(':');
}

const sidPrefix = randomBytes(12).toString('hex');
let count = 0;

function accept({ authorization, body }: Request): string {
  decodeCredentials(authorization);
  count += 1;
  const form = readForm(body);
  const sid = `SM${sidPrefix}${count.toString(16).padStart(8, '0')}`;
  const [accountSid, token] = [lastAccount, lastToken];
  const [to, from] = [form.get('To') ?? '', form.get('From') ?? ''];
  if (callsBack) {
    callBack(form.get('StatusCallback') ?? '', { sid, accountSid, token, to, from }).catch(
      // Callbacks in flight fail when the service stops.
      (error: unknown) => process.stderr.write(`callback failed: ${String(error)}\n`),
    );
  }
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`;
  return JSON.stringify({
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: form.get('Body'),
    date_created: 'Fri, 20 Nov 2026 09:00:00 +0000',
    date_sent: null,
    date_updated: 'Fri, 20 Nov 2026 09:00:00 +0000',
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: 'USD',
    sid,
    status: 'queued',
    subresource_uris: { media: `${path}/Media.json` },
    to,
    uri: `${path}.json`,
  });
}

function readForm(body: string): Map<string, string> {
  const form = new Map<string, string>();
  for (const pair of body.split('&')) {
    const equals = pair.indexOf('=');
    const value = pair.slice(equals + 1).replaceAll('+', ' ');
    form.set(pair.slice(0, equals), value.includes('%') ? decodeURIComponent(value) : value);
  }
  return form;
}

async function callBack(
  address: string,
  message: { sid: string; accountSid: string; token: string; to: string; from: string },
): Promise<void> {
  const url = address.split('#', 1)[0] ?? '';
  await delay(SENT_AFTER_MS);
  const [answered] = await Promise.all([
    sender.send(url, message, 'sent'),
    delay(DELIVERED_AFTER_MS),
  ]);
  if (answered !== 200) process.stderr.write(`a callback was answered with ${answered}\n`);
  await sender.send(url, message, 'delivered');
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${port}` });
});
process.once('SIGTERM', () => process.exit(0));
