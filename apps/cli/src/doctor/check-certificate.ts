import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Finding } from './finding.ts';

const part = 'certificate';
const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
const EARLY_DAYS = 14;
/** Certificates that are valid for only a few days are renewed in the last third of that time. */
const LATE_SHARE = 1 / 3;

/** Checks how long the certificate of an https address is valid. */
export async function checkCertificate(publicUrl: string, now = Date.now()): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return [];
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    // The check of the public URL verifies the certificate. This one also reads dates of expired ones.
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  });
  socket.once('timeout', () => socket.destroy(new Error(`no response after ${TIMEOUT_MS} ms`)));
  try {
    await once(socket, 'secureConnect');
    const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
    return [judge({ hostname, from: Date.parse(from), to: Date.parse(to), now })];
  } finally {
    socket.destroy();
  }
}

function judge(certificate: { hostname: string; from: number; to: number; now: number }): Finding {
  const { hostname, from, to, now } = certificate;
  const day = new Date(to).toISOString().slice(0, 10);
  if (to <= now) {
    const detail = `The certificate of ${hostname} expired on ${day}: renew it.`;
    return { result: 'problem', part, detail };
  }
  if (to - now < Math.min(EARLY_DAYS * DAY_MS, (to - from) * LATE_SHARE)) {
    const detail = `The certificate of ${hostname} expires on ${day}: check why it has not been renewed.`;
    return { result: 'warning', part, detail };
  }
  return { result: 'good', part, detail: `Valid until ${day}.` };
}
