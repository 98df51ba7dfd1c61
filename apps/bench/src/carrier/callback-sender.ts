import { createHmac } from 'node:crypto';
import { type RawConnection, openRawConnection } from '../load/raw-connection.ts';

export interface CallbackMessage {
  sid: string;
  accountSid: string;
  token: string;
  to: string;
  from: string;
}

const CONNECTIONS = 64;

/** Sends signed status callbacks to one service, over a few raw connections. */
export function createCallbackSender() {
  const free: RawConnection[] = [];
  let opened = 0;
  const waiting: ((connection: RawConnection) => void)[] = [];

  async function take(url: URL): Promise<RawConnection> {
    const connection = free.pop();
    if (connection !== undefined) return connection;
    if (opened < CONNECTIONS) {
      opened += 1;
      return openRawConnection(url.hostname, Number(url.port));
    }
    return new Promise((resolve) => waiting.push(resolve));
  }

  return {
    /** Sends a callback and returns the status of the response. */
    async send(address: string, message: CallbackMessage, status: string): Promise<number> {
      const fields = fieldsOf(message, status);
      const signed = address + fields.map(([name, value]) => name + value).join('');
      const signature = createHmac('sha1', message.token).update(signed).digest('base64');
      const body = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
      const url = new URL(address);
      const connection = await take(url);
      const answered = await connection.exchange(
        `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n` +
          `content-type: application/x-www-form-urlencoded\r\nx-twilio-signature: ${signature}\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}`,
      );
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else next(connection);
      return answered;
    },
  };
}

/** Returns the form fields in alphabetical order, which the signature requires. */
function fieldsOf(message: CallbackMessage, status: string): [string, string][] {
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
