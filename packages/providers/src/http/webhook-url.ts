import { isIP } from 'node:net';
import { type IpNetwork, LOOPBACK_NETWORKS, isInNetworks } from '@switchboard/core';
import { isPublicAddress } from './public-address.ts';
import { PUBLIC_ADDRESS, withoutBrackets } from './resolve-allowed.ts';

export interface WebhookTargetOptions {
  /** The operator's networks in which receivers may be, in addition to the public internet. */
  privateNetworks?: readonly IpNetwork[] | undefined;
  /** Adds this machine itself to these networks. */
  allowLoopback: boolean;
}

/** The rules for the URLs to which events are delivered. */
export type WebhookTargets = ReturnType<typeof createWebhookTargets>;

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

/**
 * Creates the rules for the URLs to which events are delivered: https on the public internet, and http or
 * https in the operator's networks.
 */
export function createWebhookTargets({
  privateNetworks = [],
  allowLoopback,
}: WebhookTargetOptions) {
  const hasNetworks = privateNetworks.length > 0;
  const networks = [...privateNetworks, ...(allowLoopback ? LOOPBACK_NETWORKS : [])];
  const isPrivate = (address: string) => isInNetworks(address, networks);
  const orPrivate = hasNetworks ? ' or in WEBHOOK_PRIVATE_NETWORKS' : '';

  function isAllowed(address: string, protocol: string): boolean {
    return isPrivate(address) || (protocol === 'https:' && isPublicAddress(address));
  }

  return {
    isAllowed,
    /** Describes an allowed address, for error messages. */
    allowed: hasNetworks ? `${PUBLIC_ADDRESS} or one in WEBHOOK_PRIVATE_NETWORKS` : PUBLIC_ADDRESS,

    /**
     * Returns why events must not be delivered to a URL, as the rest of a sentence that begins with its
     * name, or null. Host names are not resolved: `createCheckedPost` checks their addresses at each
     * connection.
     */
    refuse(text: string): string | null {
      const example = 'must be an https URL, for example https://example.com/webhooks';
      if (!URL.canParse(text)) return example;
      // Decimal, hexadecimal and other forms of IPv4 addresses are normalized here.
      const { protocol, username, password, hostname, hash } = new URL(text);
      const addresses = readAddresses(withoutBrackets(hostname));
      if (protocol !== 'https:') {
        // The connection checks that the name of an http URL has only addresses in these networks.
        const maybePrivate = addresses === null ? hasNetworks : addresses.some(isPrivate);
        if (protocol !== 'http:' || !maybePrivate) {
          return hasNetworks
            ? `${example}, or an http URL of a host in WEBHOOK_PRIVATE_NETWORKS`
            : example;
        }
      }
      if (username !== '' || password !== '') return 'must not contain a user name or password';
      if (hash !== '') return 'must not contain a fragment';
      return addresses === null || addresses.some((address) => isAllowed(address, protocol))
        ? null
        : `must have a host on the public internet${orPrivate}`;
    },
  };
}

/** Returns the addresses of a host that need no lookup; null for any other name. */
function readAddresses(host: string): string[] | null {
  if (isIP(host) !== 0) return [host];
  return /^(.+\.)?localhost\.?$/.test(host) ? LOOPBACK_ADDRESSES : null;
}
