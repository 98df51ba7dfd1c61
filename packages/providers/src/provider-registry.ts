import type { IpNetwork, ProviderAdapter } from '@switchboard/core';
import type { AdapterOptions } from './adapter-options.ts';
import { createAddressRule } from './http/public-address.ts';
import { listVendors, toApiUrlSetting } from './vendors.ts';

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
  privateNetworks?: readonly IpNetwork[] | undefined;
}

/** Finds adapters by the type in a workspace's provider configuration. */
export interface ProviderRegistry {
  /** Returns null if this version has no adapter for the type. */
  get(type: string): ProviderAdapter | null;
  readonly adapters: readonly ProviderAdapter[];
  /** Waits for calls in flight, then closes all connections. */
  close(): Promise<void>;
}

/** Loads the adapter of each vendor and creates it. */
export async function createProviderRegistry(
  options: ProviderRegistryOptions,
): Promise<ProviderRegistry> {
  const { apiUrls, privateNetworks = [], ...bounds } = options;
  const isAllowedAddress = createAddressRule(privateNetworks);
  const adapters = await Promise.all(
    listVendors().map(async ([type, { loadAdapter }]) => {
      const createAdapter = await loadAdapter();
      return createAdapter({ apiUrl: apiUrls[type] ?? null, isAllowedAddress, ...bounds });
    }),
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

/** Reads the settings that replace the APIs of providers, by provider type. */
export function readApiUrls(settings: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    listVendors().flatMap(([type]) => {
      const url = settings[toApiUrlSetting(type)];
      return typeof url === 'string' ? [[type, url]] : [];
    }),
  );
}
