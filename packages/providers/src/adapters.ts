import type { ProviderAdapter } from '@switchboard/core';

import { createTwilioAdapter } from './twilio/twilio-adapter.ts';

export interface AdapterOptions {
  /** Scheme, host and port that stand in for the provider's own API; null for the provider's. */
  apiUrl: string | null;
  /** From the start of a provider call to its end. */
  callTimeoutMs: number;
  /** For a connection with its TLS handshake. Default 5,000. */
  connectTimeoutMs?: number;
  /** Calls in flight at once, for each provider. Default 64. */
  maxConnections?: number;
}

/** Every provider that this service has an adapter for, by type. A new one is one line here. */
export const ADAPTERS: Readonly<Record<string, (options: AdapterOptions) => ProviderAdapter>> = {
  twilio: createTwilioAdapter,
};
