import { createTransport } from 'nodemailer';
import type { MailText } from './compose-mail.ts';

export interface MailerOptions {
  server: {
    host: string;
    port: number;
    isTls: boolean;
    login: { user: string; password: string } | null;
    isLocal: boolean;
  };
  from: { name: string; address: string };
  /** The name of this machine in the greeting. Some servers refuse `localhost` or a name without a domain. */
  hostName: string;
  /** The timeout of the connection and of the greeting. Silence after it ends the connection half as late again. */
  timeoutMs?: number;
}

export interface Mailer {
  /** Sends a mail to one address. Rejects with the error that `describeMailFailure` explains. */
  send(recipient: string, text: MailText): Promise<void>;
  /** Connects and signs in, without sending. */
  verify(): Promise<void>;
}

const TIMEOUT_MS = 20_000;
const SOCKET_FACTOR = 1.5;

/** Creates the connection to the mail server. Each mail has its own connection, so none is idle. */
export function createMailer(options: MailerOptions): Mailer {
  const { server, from, hostName, timeoutMs = TIMEOUT_MS } = options;
  const { host, port, isTls, login, isLocal } = server;
  // Without a login, TLS is opportunistic: an attacker who can replace the certificate could as well remove
  // the offer of STARTTLS, so an unknown certificate is no reason to fail.
  const isVerified = !isLocal && (isTls || login !== null);
  const transport = createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: isVerified && !isTls,
    tls: { rejectUnauthorized: isVerified },
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    name: hostName,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // Later than the timeout of the greeting, which says what is wrong.
    socketTimeout: timeoutMs * SOCKET_FACTOR,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(recipient, { subject, text, html }) {
      await transport.sendMail({
        // Objects, because a text is parsed and could name more than one address.
        from: { name: from.name, address: from.address },
        to: { name: '', address: recipient },
        envelope: { from: from.address, to: [recipient] },
        subject,
        text,
        html,
        headers: {
          // RFC 3834: no automatic replies. The second header is for Exchange.
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
        },
      });
    },
    async verify() {
      await transport.verify();
    },
  };
}
