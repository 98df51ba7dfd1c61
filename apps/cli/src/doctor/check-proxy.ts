import type { Finding } from './finding.ts';

const part = 'proxy';

/** Checks TRUST_PROXY. The API does not serve TLS, so an https URL means that there is a proxy. */
export function checkProxy(publicUrl: string, trustedProxies: number): Finding[] {
  const isBehindProxy = publicUrl.startsWith('https:');
  if (isBehindProxy && trustedProxies === 0) {
    const detail =
      'PUBLIC_URL is an https URL, so there is a proxy in front of the API, but TRUST_PROXY is 0: all clients appear to have the address of the proxy, and failed logins of one client block all clients. Set TRUST_PROXY to the number of proxies.';
    return [{ result: 'problem', part, detail }];
  }
  if (!isBehindProxy && trustedProxies > 0) {
    const detail = `TRUST_PROXY is ${trustedProxies}, but PUBLIC_URL is not an https URL: without a proxy, clients can forge their address. Set TRUST_PROXY to 0 unless there is a proxy.`;
    return [{ result: 'warning', part, detail }];
  }
  return [{ result: 'good', part, detail: `TRUST_PROXY is ${trustedProxies}.` }];
}
