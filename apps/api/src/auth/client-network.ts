import { formatAddress, formatNetwork, isIpv4, parseAddress } from '@switchboard/core';

const UNKNOWN = 'unknown';
/** One client has all the addresses of a /64. */
const CLIENT_PREFIX = 64;

/**
 * Returns the network that rate limits count for an address: an IPv4 address, or the /64 of an IPv6
 * address.
 */
export function toClientNetwork(ip: string): string {
  const address = parseAddress(withoutPort(ip));
  if (address === null) return UNKNOWN;
  return isIpv4(address)
    ? formatAddress(address)
    : formatNetwork({ address, prefix: CLIENT_PREFIX });
}

/** Returns an address in its shortest form, an IPv4 address in dotted decimal. */
export function toClientAddress(ip: string): string {
  const address = parseAddress(withoutPort(ip));
  return address === null ? UNKNOWN : formatAddress(address);
}

/** Removes a port that a proxy appends, and the zone of a link-local address. */
function withoutPort(ip: string): string {
  const address = /^\[(.*)\](?::\d+)?$/.exec(ip)?.[1] ?? ip.replace(/^([\d.]+):\d+$/, '$1');
  return address.split('%')[0] ?? '';
}
