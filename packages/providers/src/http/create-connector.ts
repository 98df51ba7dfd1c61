import { isIPv4 } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { createOpenTunnel } from './open-tunnel.ts';
import { type OutboundProxy, createDirectRule } from './outbound-proxy.ts';
import type { Address } from './resolve-allowed.ts';

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
  const openTunnel = createOpenTunnel({ url: proxy.url, timeoutMs: halfMs, ca });
  const startTls = buildConnector({ timeout: halfMs, ...tls });
  const connectTunnel = callbackify(async (hostname: string, port: number) =>
    openTunnel(`${await chooseHost(hostname, resolve)}:${port}`),
  );

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

/** Returns the host that the proxy receives. Not every proxy can use IPv6. */
async function chooseHost(urlHost: string, resolve: ConnectorOptions['resolve']): Promise<string> {
  if (resolve === undefined) return urlHost;
  const addresses = await resolve(urlHost);
  const { address = '' } = addresses.find((each) => isIPv4(each.address)) ?? addresses[0] ?? {};
  return address.includes(':') ? `[${address}]` : address;
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
