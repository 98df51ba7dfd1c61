import type { OutboundProxy } from './http/outbound-proxy.ts';

/** The options of every adapter. */
export interface AdapterOptions {
  /**
   * Origin (scheme, host and port) that replaces the provider's own API; null to use the
   * provider's.
   */
  apiUrl: string | null;
  /** Limit for a whole provider call, including all pages of a list. */
  callTimeoutMs: number;
  /** Limit for opening a connection, including the TLS handshake. Default 5,000. */
  connectTimeoutMs?: number;
  /** Maximum number of concurrent calls for each provider; further ones wait. Default 64. */
  maxConnections?: number;
  /**
   * Whether an adapter may connect to an address of a host that the owner of an account has entered.
   * Defaults to public internet addresses only.
   */
  isAllowedAddress?(address: string): boolean;
  /** The proxy for https connections. Default: none. */
  proxy?: OutboundProxy | null;
  /** Trusted CA certificates in PEM that replace the system's. */
  ca?: string;
}
