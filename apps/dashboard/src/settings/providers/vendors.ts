import type { ProviderAccount } from '@switchboard/contracts';

export interface CredentialField {
  /** The name of the API parameter. */
  name: string;
  label: string;
  hint: string;
  isSecret?: true;
  isOptional?: true;
}

export interface Vendor {
  name: string;
  /** What the account is, and where its credentials are. */
  about: string;
  fields: readonly CredentialField[];
}

/** What the form for an account of each type asks for. */
export const VENDORS = {
  twilio: {
    name: 'Twilio',
    about: 'The home page of the Twilio console shows the account SID and the auth token.',
    fields: [
      { name: 'account_sid', label: 'Account SID', hint: 'Begins with AC.' },
      {
        name: 'auth_token',
        label: 'Auth token',
        hint: 'Stored encrypted and never shown again.',
        isSecret: true,
      },
      {
        name: 'messaging_service_sid',
        label: 'Messaging service SID (optional)',
        hint: 'Begins with MG. It chooses the sender when a message has none.',
        isOptional: true,
      },
    ],
  },
  sandbox: {
    name: 'Sandbox',
    about: 'Sends nothing: every message counts as delivered at once. Use it to try things out.',
    fields: [],
  },
} as const satisfies Record<string, Vendor>;

export type VendorType = keyof typeof VENDORS;

export const VENDOR_TYPES = Object.keys(VENDORS) as VendorType[];

/** Finds the form of a type; null for a type that a later release has added. */
export function findVendor(type: string): Vendor | null {
  return Object.entries<Vendor>(VENDORS).find(([name]) => name === type)?.[1] ?? null;
}

/** Returns the name of an account for the user. */
export function nameOf({ name, type }: Pick<ProviderAccount, 'name' | 'type'>): string {
  return name === '' ? (findVendor(type)?.name ?? type) : name;
}
