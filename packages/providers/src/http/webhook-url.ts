import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { withoutBrackets } from './resolve-allowed.ts';

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '::1']);

/** Returns whether the host of a URL is this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOSTS.has(withoutBrackets(hostname));
}

/**
 * Returns why events must not be delivered to a URL, as the rest of a sentence that begins with its name,
 * or null. Host names are not resolved: `createCheckedPost` checks their addresses at each connection.
 */
export function refuseWebhookUrl(
  text: string,
  { allowLoopback }: { allowLoopback: boolean },
): string | null {
  if (!URL.canParse(text)) return 'must be an https URL, for example https://example.com/webhooks';
  // Decimal, hexadecimal and other forms of IPv4 addresses are normalized here.
  const { protocol, username, password, hostname, hash } = new URL(text);
  const isLocal = allowLoopback && isLoopbackHost(hostname);
  if (protocol !== 'https:' && !(isLocal && protocol === 'http:')) {
    return 'must be an https URL, for example https://example.com/webhooks';
  }
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '') return 'must not contain a fragment';
  if (isLocal) return null;
  const host = withoutBrackets(hostname);
  const isPrivate = isIP(host) === 0 ? isLoopbackHost(host) : !isPublicAddress(host);
  return isPrivate ? 'must have a host on the public internet' : null;
}
