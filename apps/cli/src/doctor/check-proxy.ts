import type { Finding } from './finding.ts';

const part = 'proxy';

/** Checks TRUST_PROXY. An API speaks no TLS itself, so behind an https address there is a proxy. */
export function checkProxy(publicUrl: string, trustedProxies: number): Finding[] {
  const isBehindProxy = publicUrl.startsWith('https:');
  if (isBehindProxy && trustedProxies === 0) {
    const detail =
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is 0: all clients have the address of the proxy, and the wrong logins of one lock out all. Set TRUST_PROXY to the number of proxies.';
    return [{ result: 'problem', part, detail }];
  }
  if (!isBehindProxy && trustedProxies > 0) {
    const detail = `TRUST_PROXY is ${trustedProxies}, but PUBLIC_URL is not https: without a proxy, clients can pretend to have any address. Set TRUST_PROXY to 0 unless there is one.`;
    return [{ result: 'warning', part, detail }];
  }
  return [{ result: 'good', part, detail: `TRUST_PROXY is ${trustedProxies}.` }];
}
