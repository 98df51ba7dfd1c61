import type { ProviderAdapter } from '@switchboard/core';

import { createSandboxAdapter } from './sandbox/sandbox-adapter.ts';
import { createTelnyxAdapter } from './telnyx/telnyx-adapter.ts';
import { createTwilioAdapter } from './twilio/twilio-adapter.ts';
import { createVonageAdapter } from './vonage/vonage-adapter.ts';

export interface AdapterOptions {
  /**
   * Origin (scheme, host and port) that replaces the provider's own API; null to use the
   * provider's.
   */
  apiUrl: string | null;
  /** Limit for a whole provider call. */
  callTimeoutMs: number;
  /** Limit for opening a connection, TLS handshake included. Default 5,000. */
  connectTimeoutMs?: number;
  /** Maximum number of concurrent calls for each provider. Default 64. */
  maxConnections?: number;
}

/** The adapter of each provider type. To add a provider, add one line here. */
export const ADAPTERS: Readonly<Record<string, (options: AdapterOptions) => ProviderAdapter>> = {
  twilio: createTwilioAdapter,
  telnyx: createTelnyxAdapter,
  vonage: createVonageAdapter,
  sandbox: createSandboxAdapter,
};
