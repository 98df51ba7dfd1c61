import type { ProviderAccount } from '@switchboard/contracts';
import { FORMS, type VendorForm } from '@switchboard/providers/forms';

/** Finds the form of a type; null for a type of a later release. */
export function findVendor(type: string): VendorForm | null {
  return Object.entries(FORMS).find(([name]) => name === type)?.[1] ?? null;
}

/** Whether the API can list the numbers of an account. */
export function listsNumbers({ type, credentials }: ProviderAccount): boolean {
  const needed = findVendor(type)?.listsNumbers;
  return typeof needed === 'string' ? credentials[needed] !== undefined : needed === true;
}

/** Whether the service reads and sets where the provider sends inbound messages. */
export function setsInbound(type: string): boolean {
  const vendor = findVendor(type);
  return vendor?.listsNumbers === true && vendor.webhookStep === undefined;
}

/** Returns the name of an account for the user. */
export function nameOf({ name, type }: Pick<ProviderAccount, 'name' | 'type'>): string {
  return name === '' ? (findVendor(type)?.name ?? type) : name;
}
