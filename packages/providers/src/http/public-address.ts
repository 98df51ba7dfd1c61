import { BlockList, isIP } from 'node:net';

/**
 * The special-purpose ranges of IPv4 (https://www.iana.org/assignments/iana-ipv4-special-registry)
 * together with multicast and reserved ranges. No address in them belongs to a host on the
 * internet.
 */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * Ranges inside global unicast that are reserved for protocols, documentation or embedded IPv4
 * addresses.
 */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [net, prefix] of SPECIAL_IPV4) special.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of SPECIAL_IPV6) special.addSubnet(net, prefix, 'ipv6');

/** All other addresses are refused: mapped, translated, local and loopback ones included. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** A network in CIDR notation. */
export interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/**
 * Creates the rule for the addresses of the servers that owners enter for their provider accounts:
 * public internet addresses and those of the operator's private networks.
 */
export function createAddressRule(
  privateNetworks: readonly Network[],
): (address: string) => boolean {
  const isPrivate = createNetworkRule(privateNetworks);
  return (address) => isPublicAddress(address) || isPrivate(address);
}

/** Creates a function that returns whether an address is in one of the networks. */
export function createNetworkRule(networks: readonly Network[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  // An IPv4 address that is mapped to IPv6 is in the network of the IPv4 address.
  return (address) =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Returns whether an address belongs to a host on the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
