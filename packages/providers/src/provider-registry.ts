import type { ProviderAdapter } from '@switchboard/core';

import { createTwilioAdapter } from './twilio/twilio-adapter.ts';

export interface ProviderRegistryOptions {
  /** The operator's stand-in for Twilio's API; null for Twilio itself. */
  twilioApiUrl: string | null;
  /** From the start of a provider call to its end. */
  callTimeoutMs: number;
  /** For a connection with its TLS handshake. Default 5,000. */
  connectTimeoutMs?: number;
  /** Calls under way at once, for each provider. Default 64. */
  maxConnections?: number;
}

/** The adapters this service has, by the type in a workspace's provider configuration. */
export interface ProviderRegistry {
  /** Null for a type this version has no adapter for. */
  get(type: string): ProviderAdapter | null;
  readonly types: readonly string[];
  /** Waits for calls under way, then lets go of all connections. */
  close(): Promise<void>;
}

export function createProviderRegistry(options: ProviderRegistryOptions): ProviderRegistry {
  const { twilioApiUrl, ...bounds } = options;
  const all = [createTwilioAdapter({ apiUrl: twilioApiUrl, ...bounds })];
  const adapters = new Map(all.map((adapter) => [adapter.type, adapter]));

  return {
    get: (type) => adapters.get(type) ?? null,
    types: [...adapters.keys()],
    async close() {
      await Promise.all(all.map((adapter) => adapter.close()));
    },
  };
}
