/** An IPv6 address as a number. An IPv4 address is the IPv6 address to which it is mapped. */
type Address = bigint;

/** A network in CIDR notation, among IPv6 addresses. */
export interface IpNetwork {
  address: Address;
  /** From 0 to 128. That of an IPv4 network is at least 96. */
  prefix: number;
}

const BITS = 128;
const IPV4_BITS = 32;
/** `::ffff:0:0/96` has the IPv4 addresses. */
const MAPPED = 0xffffn;
const WITH_IPV4 = /^(?<head>.*:)(?<dotted>[^:]*\.[^:]*)$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Returns null for a text that is not an IP address. */
export function parseAddress(text: string): Address | null {
  if (IPV4.test(text)) {
    return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), MAPPED);
  }
  const { head = text, dotted } = WITH_IPV4.exec(text)?.groups ?? {};
  const tail = dotted === undefined ? '' : toGroups(dotted);
  const halves = `${head}${tail}`.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [first = [], last = []] = halves;
  const zeros = 8 - first.length - last.length;
  const isComplete = halves.length === 1 ? zeros === 0 : halves.length === 2 && zeros > 0;
  if (!isComplete) return null;
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** Writes the last 32 bits of an IPv6 address in dotted decimal as two groups. */
function toGroups(dotted: string): string {
  const address = IPV4.test(dotted) ? parseAddress(dotted) : null;
  if (address === null) return dotted;
  return `${((address >> 16n) & 0xffffn).toString(16)}:${(address & 0xffffn).toString(16)}`;
}

export function isIpv4(address: Address): boolean {
  return address >> BigInt(IPV4_BITS) === MAPPED;
}

/** Writes an address in its shortest form, an IPv4 address in dotted decimal. */
export function formatAddress(address: Address): string {
  if (isIpv4(address)) {
    return [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 0xffn)).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  );
  const written = groups.join(':');
  // RFC 5952: the longest run of zeros, the first of equal ones, becomes `::`.
  const runs = [...written.matchAll(/\b0(?::0)+\b/g)];
  const [longest] = runs.toSorted(([one], [other]) => other.length - one.length);
  if (longest === undefined) return written;
  const end = longest.index + longest[0].length;
  return `${written.slice(0, longest.index)}::${written.slice(end)}`.replace(/:{3,}/, '::');
}

/** Reads CIDR notation. A single address is a network of its own. Returns null for other texts. */
export function parseNetwork(text: string): IpNetwork | null {
  const [, start = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(start);
  if (address === null) return null;
  const bits = start.includes(':') ? BITS : IPV4_BITS;
  const prefix = Number(length ?? bits);
  return prefix > bits ? null : { address, prefix: prefix + BITS - bits };
}

export function formatNetwork(network: IpNetwork): string {
  const { address, prefix } = startOfNetwork(network);
  const isOfIpv4 = isIpv4(address) && prefix >= BITS - IPV4_BITS;
  return `${formatAddress(address)}/${isOfIpv4 ? prefix - (BITS - IPV4_BITS) : prefix}`;
}

/** Returns the network with its first address. */
export function startOfNetwork({ address, prefix }: IpNetwork): IpNetwork {
  const rest = BigInt(BITS - prefix);
  return { address: (address >> rest) << rest, prefix };
}

/** An IPv4 address is only in networks of IPv4, also where these are written as mapped ones. */
function isInNetwork(address: Address, network: IpNetwork): boolean {
  const rest = BigInt(BITS - network.prefix);
  return isIpv4(address) === isIpv4(network.address) && address >> rest === network.address >> rest;
}

/** Returns whether a text is an address in one of the networks. */
export function isInNetworks(text: string, networks: readonly IpNetwork[]): boolean {
  const address = parseAddress(text);
  return address !== null && networks.some((network) => isInNetwork(address, network));
}

/**
 * Reads networks that the code names.
 *
 * @throws Error if a text is not a network
 */
export function readNetworks(...texts: readonly string[]): IpNetwork[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === null) throw new Error(`not a network: ${text}`);
    return network;
  });
}

/** The addresses of this machine itself. */
export const LOOPBACK_NETWORKS: readonly IpNetwork[] = readNetworks('127.0.0.0/8', '::1/128');
