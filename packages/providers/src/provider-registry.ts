import type { ProviderAdapter } from '@switchboard/core';

import type { AdapterOptions } from './adapter-options.ts';
import { ADAPTERS } from './adapters.ts';
import { type Network, createAddressRule } from './http/public-address.ts';

export interface ProviderRegistryOptions extends Omit<
  AdapterOptions,
  'apiUrl' | 'isAllowedAddress' | 'ca'
> {
  /** Origins that replace the APIs of providers, by provider type. */
  apiUrls: Readonly<Record<string, string>>;
  /**
   * Networks in which servers of accounts may be, in addition to the public internet. Default:
   * none.
   */
  privateNetworks?: readonly Network[] | undefined;
}

/** Finds adapters by the type in a workspace's provider configuration. */
export interface ProviderRegistry {
  /** Returns null if this version has no adapter for the type. */
  get(type: string): ProviderAdapter | null;
  readonly adapters: readonly ProviderAdapter[];
  /** Waits for calls in flight, then closes all connections. */
  close(): Promise<void>;
}

export function createProviderRegistry(options: ProviderRegistryOptions): ProviderRegistry {
  const { apiUrls, privateNetworks = [], ...bounds } = options;
  const isAllowedAddress = createAddressRule(privateNetworks);
  const adapters = Object.entries(ADAPTERS).map(([type, createAdapter]) =>
    createAdapter({ apiUrl: apiUrls[type] ?? null, isAllowedAddress, ...bounds }),
  );
  const byType = new Map(adapters.map((adapter) => [adapter.type, adapter]));

  return {
    get: (type) => byType.get(type) ?? null,
    adapters,
    async close() {
      await Promise.all(adapters.map((adapter) => adapter.close()));
    },
  };
}

/** Reads the settings named `<TYPE>_API_URL`, by type. */
export function readApiUrls(settings: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => {
      const type = /^([A-Z]+)_API_URL$/.exec(name)?.[1];
      return type === undefined || typeof value !== 'string' ? [] : [[type.toLowerCase(), value]];
    }),
  );
}
