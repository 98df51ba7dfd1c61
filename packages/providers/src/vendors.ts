import * as http from '#vendor/http-gateway';
import * as sandbox from '#vendor/sandbox';
import * as smpp from '#vendor/smpp';
import * as telnyx from '#vendor/telnyx';
import * as twilio from '#vendor/twilio';
import * as vonage from '#vendor/vonage';

import type { VendorDescription } from './vendor-description.ts';

/**
 * The vendors by the type of their accounts, in the order in which users see them. To add a vendor, add its
 * folder here. In a browser, `#vendor/…` is only the form of a vendor: see `imports` in package.json.
 */
export const VENDORS = {
  twilio,
  telnyx,
  vonage,
  http,
  smpp,
  sandbox,
} as const satisfies Record<string, VendorDescription>;

export type VendorType = keyof typeof VENDORS;

/** The vendors with an API of their own, whose address is a setting. */
export type VendorTypeWithApi = {
  [Type in VendorType]: (typeof VENDORS)[Type]['api'] extends null ? never : Type;
}[VendorType];

/** Lists the vendors with their types. */
export const listVendors = (): [string, VendorDescription][] => Object.entries(VENDORS);

/** Finds the vendor of a type; null for a type of another version. */
export const findVendor = (type: string): VendorDescription | null =>
  listVendors().find(([name]) => name === type)?.[1] ?? null;

/** The setting that replaces the address of a vendor's API. */
export const toApiUrlSetting = <Type extends string>(type: Type) =>
  `${type.toUpperCase() as Uppercase<Type>}_API_URL` as const;

export { toWebhookPath } from './vendor-description.ts';
export type { VendorApi, VendorDescription, VendorWebhook } from './vendor-description.ts';
