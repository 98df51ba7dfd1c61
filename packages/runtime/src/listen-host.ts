import { networkInterfaces } from 'node:os';

/**
 * Returns the address to listen on for a `HOST`. `::` accepts IPv4 and IPv6, but a machine without IPv6
 * refuses it, so there it becomes `0.0.0.0`.
 */
export function toListenHost(host: string, interfaces = networkInterfaces()): string {
  const hasIpv6 = Object.values(interfaces).some((addresses) =>
    addresses?.some(({ family }) => family === 'IPv6'),
  );
  return host === '::' && !hasIpv6 ? '0.0.0.0' : host;
}
