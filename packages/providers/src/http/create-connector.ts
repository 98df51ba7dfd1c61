import { isIPv4 } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { createOpenTunnel } from './open-tunnel.ts';
import { type OutboundProxy, createDirectRule } from './outbound-proxy.ts';
import type { Address } from './look-up-name.ts';

export interface ConnectorOptions {
  /** Limit for opening a connection, including the proxy's response and the TLS handshake. */
  timeoutMs: number;
  /** Trusted CA certificates in PEM that replace the system's. */
  ca?: string | undefined;
  /** The proxy for https connections. Default: none. */
  proxy?: OutboundProxy | null | undefined;
  /**
   * Resolves a host name to the addresses that a connection may use. Without it, the system resolves the
   * name, or the proxy does.
   */
  resolve?: ((hostname: string) => Promise<Address[]>) | undefined;
}

/** Of a name with more addresses, a proxy is given no more for one connection. */
const MAX_ADDRESSES = 4;

/**
 * Creates the function with which undici opens connections, through the proxy if there is one. Where
 * addresses are checked, the proxy receives a checked address and not the name, which it could resolve to
 * another one. The TLS handshake still verifies the name.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { timeoutMs, ca, proxy = null, resolve } = options;
  const tls = ca === undefined ? {} : { ca };
  const connect = buildConnector({ timeout: timeoutMs, ...tls, ...createLookup(resolve) });
  if (proxy === null) return connect;

  // Half of the time for each, so that an error says which of proxy and server did not respond.
  const halfMs = timeoutMs / 2;
  const isDirect = createDirectRule(proxy.directHosts);
  const openTunnel = createOpenTunnel({ url: proxy.url, ca });
  const startTls = buildConnector({ timeout: halfMs, ...tls });
  /** Tries the addresses in turn, because the proxy may not reach each of them. */
  const connectTunnel = callbackify(async (hostname: string, port: number) => {
    const hosts = await listHosts(hostname, resolve);
    let leftMs = halfMs;
    const failures: unknown[] = [];
    for (const [index, host] of hosts.entries()) {
      const isLast = index === hosts.length - 1;
      const startedAt = performance.now();
      try {
        return await openTunnel(`${host}:${port}`, Math.ceil(isLast ? leftMs : leftMs / 2));
      } catch (error) {
        failures.push(error);
      }
      leftMs -= performance.now() - startedAt;
    }
    throw failures[0];
  });

  return (target, callback) => {
    const port = Number(target.port || 443);
    if (target.protocol !== 'https:' || isDirect(target.hostname, port)) {
      connect(target, callback);
      return;
    }
    connectTunnel(target.hostname, port, (error, httpSocket) => {
      if (error === null) startTls({ ...target, httpSocket }, callback);
      else callback(error, null);
    });
  };
}

/** Returns the hosts that the proxy receives. Not every proxy can use IPv6, so those are last. */
async function listHosts(urlHost: string, resolve: ConnectorOptions['resolve']): Promise<string[]> {
  if (resolve === undefined) return [urlHost];
  const addresses = (await resolve(urlHost)).map(({ address }) => address);
  const [ipv4, others] = [addresses.filter(isIPv4), addresses.filter((each) => !isIPv4(each))];
  return [...ipv4, ...others.map((address) => `[${address}]`)].slice(0, MAX_ADDRESSES);
}

/** The connection uses the resolved addresses, so a name cannot change its address in between. */
function createLookup(resolve: ConnectorOptions['resolve']): buildConnector.BuildOptions {
  if (resolve === undefined) return {};
  const lookUp = callbackify(resolve);
  return {
    lookup: (hostname, { all }, callback) => {
      lookUp(hostname, (error, addresses) => {
        const [first = { address: '', family: 0 }] = addresses ?? [];
        if (error !== null) callback(error, []);
        else if (all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
}
