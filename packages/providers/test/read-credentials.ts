import { parseBody } from '@switchboard/contracts';
import type { NewCredentials, ProviderAdapter } from '@switchboard/core';
import { findVendor } from '../src/vendors.ts';

/** Reads credentials as the API does: by the vendor's schema, then by its adapter. */
export function readCredentials(adapter: ProviderAdapter, input: object): NewCredentials {
  const vendor = findVendor(adapter.type);
  if (vendor === null) throw new Error(`no vendor ${adapter.type}`);
  return adapter.readCredentials(parseBody(vendor.credentials, input));
}
