import { isIP } from 'node:net';

/**
 * Returns the network that rate limits count for an address: an IPv4 address, or the /64 of an IPv6
 * address, because one client has all the addresses of a /64. Ignores a port that a proxy appends.
 */
export function toClientNetwork(ip: string): string {
  const address = /^\[(.*)\](?::\d+)?$/.exec(ip)?.[1] ?? ip.replace(/^([\d.]+):\d+$/, '$1');
  const [bare = ''] = address.split('%');
  if (isIP(bare) === 4) return bare;
  if (isIP(bare) !== 6) return 'unknown';
  const groups = toGroups(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Returns the eight numbers of an IPv6 address in any spelling. */
function toGroups(address: string): number[] {
  // The URL parser writes the part in dotted decimal as two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}
