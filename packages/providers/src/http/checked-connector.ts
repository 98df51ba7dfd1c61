import type { buildConnector } from 'undici';
import { type ConnectorOptions, createConnector } from './create-connector.ts';
import type { Address } from './look-up-name.ts';
import { RefusedError, withoutBrackets } from './resolve-allowed.ts';

export interface CheckedConnectorOptions extends ConnectorOptions {
  /** Resolves a host name to addresses that are allowed. Rejects otherwise. */
  resolve(hostname: string): Promise<Address[]>;
  /** Whether a connection to an address in place of a host name is allowed. */
  isAllowed(address: string): boolean;
  /** Describes an allowed address, for error messages. */
  allowed: string;
}

/**
 * Creates the function with which undici opens connections, with a check of the addresses. Each
 * connection resolves the host name once and uses one of the checked addresses, so a host name that
 * changes its address later (DNS rebinding) is refused too.
 */
export function createCheckedConnector(options: CheckedConnectorOptions): buildConnector.connector {
  const { isAllowed, allowed } = options;
  const connect = createConnector(options);
  return (target, callback) => {
    // For an address instead of a host name, Node calls no `lookup`.
    const host = withoutBrackets(target.hostname);
    const isName = !/^[\d.]+$/.test(host) && !host.includes(':');
    if (isName || isAllowed(host)) connect(target, callback);
    else callback(new RefusedError(`The address is not ${allowed}`), null);
  };
}
