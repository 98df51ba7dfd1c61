import type { VendorForm } from './vendor-form.ts';
import { VENDORS, type VendorType } from './vendors.ts';

/** How the dashboard describes each vendor and asks for its credentials. */
export const FORMS = Object.fromEntries(
  Object.entries<{ form: VendorForm }>(VENDORS).map(([type, { form }]) => [type, form]),
) as Record<VendorType, VendorForm>;

export type {
  CredentialField,
  CredentialForm,
  CredentialValue,
  VendorForm,
} from './vendor-form.ts';
export type { VendorType } from './vendors.ts';
