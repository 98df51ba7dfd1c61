import {
  type IpNetwork,
  isInNetworks,
  isIpv4,
  parseAddress,
  readNetworks,
} from '@switchboard/core';

/**
 * The special-purpose ranges of IPv4 (https://www.iana.org/assignments/iana-ipv4-special-registry)
 * together with multicast and reserved ranges. No address in them belongs to a host on the
 * internet.
 */
const SPECIAL_IPV4 = readNetworks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

/**
 * Ranges inside global unicast that are reserved for protocols, documentation or embedded IPv4
 * addresses.
 */
const SPECIAL_IPV6 = readNetworks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** All other addresses are refused: mapped, translated, local and loopback ones included. */
const GLOBAL_UNICAST = readNetworks('2000::/3');

/**
 * Creates the rule for the addresses of the servers that owners enter for their provider accounts:
 * public internet addresses and those of the operator's private networks.
 */
export function createAddressRule(
  privateNetworks: readonly IpNetwork[],
): (address: string) => boolean {
  return (address) => isPublicAddress(address) || isInNetworks(address, privateNetworks);
}

/** Returns whether an address belongs to a host on the public internet. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null) return false;
  if (!isIpv4(address)) {
    return isInNetworks(text, GLOBAL_UNICAST) && !isInNetworks(text, SPECIAL_IPV6);
  }
  const isMapped = text.includes(':');
  return !isMapped && !isInNetworks(text, SPECIAL_IPV4);
}
