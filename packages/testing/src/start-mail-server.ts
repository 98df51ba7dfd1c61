import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  /** The recipients of the envelope. */
  to: string[];
  /** The header, unfolded: one line for each field. */
  header: string;
  /** The parts in plain text and HTML, decoded. */
  text: string;
  html: string;
  /** The links in the plain text. */
  links: string[];
}

export interface MailServer {
  port: number;
  /** For `SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
  close(): Promise<void>;
}

/** Starts an SMTP server on a free port, which keeps the mails that it receives. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push(parseMail(to, Buffer.concat(chunks).toString('utf8')));
        callback();
      });
    },
    ...options,
  });
  // A client that leaves during the TLS handshake is an error of the server.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function parseMail(to: string[], raw: string): ReceivedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const parts = rest.join('\r\n\r\n');
  const text = readPart(parts, 'text/plain');
  return {
    to,
    header: head.replaceAll(/\r\n[ \t]+/g, ' '),
    text,
    html: readPart(parts, 'text/html'),
    links: text.match(/https?:\/\/\S+/g) ?? [],
  };
}

/** Returns the content of the part with the type, decoded from quoted-printable or base64. */
function readPart(parts: string, type: string): string {
  const part = parts.split(/\r\n?--[^\r\n]+\r\n/).find((one) => one.includes(type)) ?? '';
  const at = part.indexOf('\r\n\r\n');
  const [head, body] = [part.slice(0, at), part.slice(at + 4).replace(/\r\n--[^\r\n]+--\s*$/, '')];
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
