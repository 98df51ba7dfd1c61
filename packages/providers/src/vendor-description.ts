import type { AccountAddress, ProviderAdapter } from '@switchboard/core';
import type { z } from 'zod';

import type { AdapterOptions } from './adapter-options.ts';
import type { VendorForm } from './vendor-form.ts';

/**
 * What the API, the settings, the doctor and the dashboard know about a vendor. Modules of a description import
 * no code of the adapter, so that a program can read the descriptions without the vendors' libraries.
 */
export interface VendorDescription {
  /** The credentials of an account, as a request contains them. */
  credentials: z.ZodObject;
  /** What the API reference says about credentials whose fields do not explain themselves. */
  credentialsNote?: string;
  /** Null if each account names its own server. */
  api: VendorApi | null;
  /** Null if the vendor calls no webhooks. */
  webhooks: VendorWebhooks | null;
  form: VendorForm;
  loadAdapter(): Promise<(options: AdapterOptions) => ProviderAdapter>;
}

/** The vendor's API, which the setting `<TYPE>_API_URL` can replace. */
export interface VendorApi {
  origin: string;
  /** A sentence for the page of the settings. */
  note?: string;
  /** The adapter compares the vendor's times with ours, so the doctor compares the clocks. */
  isClockCompared?: true;
}

/** The routes that the vendor calls, for the API reference. The adapter verifies and parses the requests. */
export interface VendorWebhooks {
  /** The part of an account's address that the paths contain. */
  address: keyof AccountAddress;
  /** The security scheme of OpenAPI, and its name. */
  signature: { name: `${string}_signature`; scheme: Readonly<Record<string, string>> };
  status: VendorWebhook;
  inbound: VendorWebhook;
  /** Examples of schemas and fields, by name. */
  examples?: Readonly<Record<string, unknown>>;
}

export interface VendorWebhook {
  operationId: string;
  summary: string;
  description?: string;
  query?: z.ZodObject;
  body: z.ZodObject;
  /** JSON unless set. */
  bodyType?: 'application/x-www-form-urlencoded';
  /** The response if it is not `{ "ok": true }`. */
  reply?: { contentType: string; description: string };
}

/** Returns the path of a webhook with the part of the address as it stands in `part`. */
export function toWebhookPath(
  type: string,
  part: string,
  kind: 'status' | 'inbound',
): `/api/webhooks/${string}` {
  return `/api/webhooks/${type}/${part}/${kind}`;
}
