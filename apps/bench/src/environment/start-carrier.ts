import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

export interface CarrierCall {
  sid: string;
  /** The message's id from its callback URL. */
  messageId: string;
  callbackUrl: string;
  /** The time when the request's headers arrived, by this process's monotonic clock. */
  at: number;
}

/** A carrier in the process of the benchmark, so that both ends of a hop use one clock. */
export interface Carrier {
  url: string;
  callFor(messageId: string): Promise<CarrierCall>;
  /**
   * Sends a status callback with Twilio's signature to the API at `through`, as a proxy would.
   */
  callBack(call: CarrierCall, status: string, account: Account, through: string): Promise<void>;
  close(): Promise<void>;
}

interface Account {
  accountSid: string;
  authToken: string;
}

export async function startCarrier(): Promise<Carrier> {
  const calls = new Map<string, CarrierCall>();
  const waiting = new Map<string, (call: CarrierCall) => void>();
  let number = 0;

  async function accept(incoming: IncomingMessage): Promise<string> {
    const at = performance.now();
    const form = new URLSearchParams(await readBody(incoming));
    const callbackUrl = (form.get('StatusCallback') ?? '').replace(/#.*/, '');
    number += 1;
    const call = {
      sid: `SM${String(number).padStart(32, '0')}`,
      messageId: new URL(callbackUrl).searchParams.get('message') ?? '',
      callbackUrl,
      at,
    };
    calls.set(call.messageId, call);
    waiting.get(call.messageId)?.(call);
    return JSON.stringify({
      sid: call.sid,
      account_sid: (incoming.url ?? '').split('/')[3],
      status: 'queued',
      to: form.get('To'),
      from: form.get('From'),
      body: form.get('Body'),
      num_segments: '1',
      direction: 'outbound-api',
      date_created: new Date().toUTCString(),
      error_code: null,
      error_message: null,
    });
  }

  const server = createServer((incoming, answer) => {
    accept(incoming).then(
      (body) => answer.writeHead(201, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => answer.destroy(error as Error),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    callFor(messageId) {
      const call = calls.get(messageId);
      if (call !== undefined) return Promise.resolve(call);
      return new Promise((resolve) => waiting.set(messageId, resolve));
    },
    async callBack({ sid, callbackUrl }, status, { accountSid, authToken }, through) {
      const fields = {
        AccountSid: accountSid,
        MessageSid: sid,
        MessageStatus: status,
        SmsSid: sid,
      };
      const signed = callbackUrl + Object.entries(fields).flat().join('');
      const { pathname, search } = new URL(callbackUrl);
      const answer = await request(new URL(pathname + search, through), {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64'),
        },
        body: new URLSearchParams(fields).toString(),
      });
      await answer.body.dump();
      if (answer.statusCode >= 300)
        throw new Error(`A callback was answered with ${answer.statusCode}.`);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}
