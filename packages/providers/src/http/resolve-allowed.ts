import { isIP } from 'node:net';
import { type Address, createLookUpName } from './look-up-name.ts';
import { isPublicAddress } from './public-address.ts';

export interface AddressRules {
  /** Resolves a host name to all its addresses. Defaults to the hosts file and DNS. */
  lookup?(hostname: string): Promise<Address[]>;
  /** Whether a connection to an address is allowed. Defaults to public internet addresses only. */
  isAllowed?(address: string): boolean;
  /** Describes an allowed address, for error messages. */
  allowed?: string;
}

export const PUBLIC_ADDRESS = 'a public internet address';

/** A request that the service does not make, because of its URL or the addresses of its host. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Returns a function that resolves the host of a URL to its addresses once, so that a connection can use
 * the checked addresses and not others.
 *
 * @throws RefusedError if any of the addresses is not allowed
 */
export function createResolveAllowed(rules: AddressRules) {
  const { lookup = createLookUpName() } = rules;
  const { isAllowed = isPublicAddress, allowed = PUBLIC_ADDRESS } = rules;

  return async function resolveAllowed(urlHost: string): Promise<Address[]> {
    const hostname = withoutBrackets(urlHost);
    const family = isIP(hostname);
    const addresses = family === 0 ? await lookup(hostname) : [{ address: hostname, family }];
    if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) {
      throw new RefusedError(`The host name does not resolve to ${allowed}`);
    }
    return addresses;
  };
}
