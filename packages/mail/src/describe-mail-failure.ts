export interface MailFailure {
  /** True if the server refuses this mail for good, so that another attempt would be refused as well. */
  isPermanent: boolean;
  /** A sentence without a full stop, and without addresses, which a log must not contain. */
  reason: string;
}

const OF_RECIPIENT = /^(RCPT TO|DATA)/;
/** The class of security and policy (RFC 3463): relaying denied, authentication required. */
const OF_POLICY = /\b5\.7\.\d/;

/** Describes an error of a `Mailer`, with a remedy where one is known. */
export function describeMailFailure(error: unknown): MailFailure {
  if (!(error instanceof Error)) return { isPermanent: false, reason: String(error) };
  const { code, command = '', responseCode, response = '' } = error as SmtpError;
  const isRefused = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const isPermanent = isRefused && OF_RECIPIENT.test(command) && !OF_POLICY.test(response);
  const said = response === '' ? error.message : response;
  const reason = `${remedyOf(code, error.message)}${said}`
    .replaceAll(/[^\s<>"':,;@]+@[^\s<>"':,;@]+/g, '[address]')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);
  return { isPermanent, reason };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

function remedyOf(code: string | undefined, message: string): string {
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return 'the server refuses the login: check user and password in SMTP_URL: ';
  if (/wrong version number|unknown protocol|packet length too long/i.test(message))
    return 'the server does not begin with TLS: use smtp:// in SMTP_URL: ';
  if (/self.signed|unable to (get|verify)|altnames|certificate has expired/i.test(message))
    return 'the certificate of the server is not valid for this machine: use the name in the certificate, and name a private CA in NODE_EXTRA_CA_CERTS: ';
  if (code === 'ETLS')
    return 'the server does not offer STARTTLS, and a password is not sent without TLS: ';
  if (/greeting/i.test(message))
    return 'the server accepts the connection and sends nothing: if it begins with TLS, use smtps:// in SMTP_URL: ';
  if (code === 'EDNS') return 'the name of the server is unknown: check SMTP_URL: ';
  return '';
}
