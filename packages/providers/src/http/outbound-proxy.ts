import { isIP } from 'node:net';
import { type IpNetwork, LOOPBACK_NETWORKS, isInNetworks } from '@switchboard/core';
import { withoutBrackets } from './resolve-allowed.ts';

/** A host, with its subdomains, or a network that is reached without the proxy; null for any port. */
export type DirectHost = { port: number | null } & (
  | { kind: 'all' }
  | { kind: 'domain'; name: string }
  | { kind: 'network'; network: IpNetwork }
);

/** The proxy through which https connections leave the operator's network. */
export interface OutboundProxy {
  /** Its http or https URL, with its credentials. */
  url: string;
  directHosts: readonly DirectHost[];
}

/** Returns the proxy of a process's settings; null if there is none. */
export function readProxy(settings: {
  HTTPS_PROXY?: string | undefined;
  NO_PROXY?: readonly DirectHost[] | undefined;
}): OutboundProxy | null {
  const { HTTPS_PROXY: url, NO_PROXY: directHosts = [] } = settings;
  return url === undefined ? null : { url, directHosts };
}

/** A proxy cannot reach this machine under its loopback addresses. They are always direct, as in Go. */
const THIS_MACHINE: readonly DirectHost[] = [
  { kind: 'domain', name: 'localhost', port: null },
  ...LOOPBACK_NETWORKS.map((network) => ({ kind: 'network' as const, network, port: null })),
];

/**
 * Creates a function that returns whether the host of a URL is reached without the proxy. As in curl and Go,
 * an entry for a network matches addresses in URLs, and not the addresses of names.
 */
export function createDirectRule(
  directHosts: readonly DirectHost[],
): (urlHost: string, port: number) => boolean {
  const rules = [...THIS_MACHINE, ...directHosts].map((entry) => ({
    port: entry.port,
    matches: createHostRule(entry),
  }));
  return (urlHost, port) => {
    const host = withoutBrackets(urlHost).toLowerCase().replace(/\.$/, '');
    return rules.some((rule) => (rule.port ?? port) === port && rule.matches(host));
  };
}

function createHostRule(entry: DirectHost): (host: string) => boolean {
  switch (entry.kind) {
    case 'all':
      return () => true;
    case 'network':
      return (host) => isInNetworks(host, [entry.network]);
    case 'domain':
      return (host) => isIP(host) === 0 && (host === entry.name || host.endsWith(`.${entry.name}`));
  }
}
