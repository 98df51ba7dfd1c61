import { createHmac, randomBytes } from 'node:crypto';
import { type Socket, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '@switchboard/testing/listen';
import { type RawConnection, openRawConnection } from './raw-connection.ts';

const SENT_AFTER_MS = 60;
const DELIVERED_AFTER_MS = 90;
const CONNECTIONS = 64;

/** A message that the carrier accepted. */
export interface CarrierMessage {
  sid: string;
  accountSid: string;
  token: string;
  to: string;
  from: string;
  callbackUrl: string;
  /** The time when its request arrived, by this process's monotonic clock. */
  at: number;
}

export interface CarrierSettings {
  /** The delay of responses. */
  latencyMs: number;
  /** Whether it sends two callbacks for each message, after the delays of the simulator. */
  callsBack: boolean;
  /** Whether it holds the responses to messages until this is set to false. */
  holds: boolean;
}

export interface Carrier {
  url: string;
  /** The number of accepted messages. */
  readonly accepted: number;
  configure(settings: Partial<CarrierSettings>): void;
  /** Sends a signed status callback, to the address of the request or as a proxy to the API at `through`. */
  callBack(message: CarrierMessage, status: string, through?: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a carrier that uses very little CPU time, so that benchmarks measure the service. It accepts
 * every message and responds like Twilio. It stores nothing, parses only the parts of a request that it
 * needs, and keeps connections open.
 */
export async function openCarrier(
  onAccepted: (message: CarrierMessage) => void = () => undefined,
): Promise<Carrier> {
  const settings: CarrierSettings = { latencyMs: 0, callsBack: true, holds: false };
  const held: (() => void)[] = [];
  const exchange = createConnections();
  const sidPrefix = randomBytes(12).toString('hex');
  let accepted = 0;
  let hasFailed = false;

  function accept(head: string, body: string): string {
    accepted += 1;
    const form = readForm(body);
    const message = {
      sid: `SM${sidPrefix}${accepted.toString(16).padStart(8, '0')}`,
      ...decodeCredentials(/\r\nauthorization: *Basic ([^\r]+)/i.exec(head)?.[1] ?? ''),
      to: form.get('To') ?? '',
      from: form.get('From') ?? '',
      callbackUrl: (form.get('StatusCallback') ?? '').replace(/#.*/, ''),
      at: performance.now(),
    };
    onAccepted(message);
    if (settings.callsBack) {
      callBackTwice(message).catch((error: unknown) => {
        // All callbacks in flight fail when the service stops.
        if (!hasFailed) process.stderr.write(`a callback failed: ${String(error)}\n`);
        hasFailed = true;
      });
    }
    return formatResponse(message, form.get('Body') ?? '');
  }

  async function callBack(message: CarrierMessage, status: string, through?: string) {
    const fields = callbackFields(message, status);
    const signed = message.callbackUrl + fields.map(([name, value]) => name + value).join('');
    const signature = createHmac('sha1', message.token).update(signed).digest('base64');
    const body = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    const url = new URL(message.callbackUrl);
    const code = await exchange(
      new URL(through ?? url),
      `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\nx-twilio-signature: ${signature}\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    if (code !== 200) throw new Error(`the response to a callback was ${code}`);
  }

  async function callBackTwice(message: CarrierMessage): Promise<void> {
    await delay(SENT_AFTER_MS);
    await Promise.all([callBack(message, 'sent'), delay(DELIVERED_AFTER_MS)]);
    await callBack(message, 'delivered');
  }

  function respond(socket: Socket, head: string, body: string): void {
    const text = accept(head, body);
    const send = () =>
      socket.write(
        `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n` +
          `content-length: ${text.length}\r\n\r\n${text}`,
      );
    if (settings.holds) held.push(send);
    else if (settings.latencyMs > 0) setTimeout(send, settings.latencyMs);
    else send();
  }

  const server = createServer((socket) =>
    serve(socket, (head, body) => respond(socket, head, body)),
  );
  const { url, close } = await listen(server);
  return {
    url,
    get accepted() {
      return accepted;
    },
    configure(changed) {
      Object.assign(settings, changed);
      if (!settings.holds) for (const send of held.splice(0)) send();
    },
    callBack,
    close,
  };
}

/** Serves the requests of one connection, one after another. */
function serve(socket: Socket, onRequest: (head: string, body: string) => void): void {
  let received = '';
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    received += chunk;
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    const [head, body] = [received.slice(0, end), received.slice(end + 4)];
    received = '';
    onRequest(head, body);
  });
}

/** Returns a function that makes a request, over a few raw connections to each service. */
function createConnections() {
  const pools = new Map<string, { free: RawConnection[]; opened: number; waiting: Take[] }>();
  type Take = (connection: RawConnection) => void;
  return async ({ host, hostname, port }: URL, request: string): Promise<number> => {
    const pool = pools.get(host) ?? { free: [], opened: 0, waiting: [] };
    pools.set(host, pool);
    const open = () => {
      pool.opened += 1;
      return openRawConnection(hostname, Number(port));
    };
    const wait = () => new Promise<RawConnection>((resolve) => pool.waiting.push(resolve));
    const connection = pool.free.pop() ?? (await (pool.opened < CONNECTIONS ? open() : wait()));
    const status = await connection.exchange(request);
    const next = pool.waiting.shift();
    if (next === undefined) pool.free.push(connection);
    else next(connection);
    return status;
  };
}

let last = { authorization: '', accountSid: '', token: '' };
/** Most requests have the credentials of the previous request, so these are decoded once. */
function decodeCredentials(authorization: string): { accountSid: string; token: string } {
  if (authorization !== last.authorization) {
    const text = Buffer.from(authorization, 'base64').toString();
    const [accountSid = '', token = ''] = text.split(':');
    last = { authorization, accountSid, token };
  }
  return { accountSid: last.accountSid, token: last.token };
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

function formatResponse({ accountSid, sid, to, from }: CarrierMessage, body: string): string {
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`;
  const at = 'Fri, 20 Nov 2026 09:00:00 +0000';
  return JSON.stringify({
    account_sid: accountSid,
    api_version: '2010-04-01',
    body,
    direction: 'outbound-api',
    date_created: at,
    date_sent: null,
    date_updated: at,
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

/** Returns the form fields in alphabetical order, which the signature requires. */
function callbackFields(message: CarrierMessage, status: string): [string, string][] {
  return [
    ['AccountSid', message.accountSid],
    ['ApiVersion', '2010-04-01'],
    ['From', message.from],
    ['MessageSid', message.sid],
    ['MessageStatus', status],
    ['SmsSid', message.sid],
    ['SmsStatus', status],
    ['To', message.to],
  ];
}
