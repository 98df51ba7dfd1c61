import type { ProviderAccount } from '@switchboard/contracts';
import type { CredentialField } from './credential-field.ts';
import { type CredentialForm, GATEWAY_CHANGE, GATEWAY_PRESETS } from './gateway-presets.ts';

export interface Vendor {
  name: string;
  /** Describes the account. */
  about: string;
  /** The steps before the form can be filled in, in order. */
  steps?: readonly string[];
  /** The URL of the console in which the steps are done. */
  consoleUrl?: string;
  /** The step for the webhook URLs, if the owner enters them in the provider's console. */
  webhookStep?: string;
  fields: readonly CredentialField[];
  /** Forms to choose from in place of `fields`, and the one that changes an account. */
  forms?: { add: readonly [CredentialForm, ...CredentialForm[]]; change: CredentialForm };
  /** The credentials that a list shows, if it must not show all of them. */
  summary?: readonly string[];
  /** The provider cannot prove whether it has a message whose response was lost. */
  isWithoutEvidence?: true;
  /** The API can list the numbers that an account owns, or can with the credential of this name. */
  listsNumbers?: true | string;
  /** A change without a secret keeps the stored one. */
  keepsSecrets?: true;
}

/** The fields and texts of the form for each type of account. */
export const VENDORS = {
  twilio: {
    name: 'Twilio',
    listsNumbers: true,
    about: 'Sends and receives SMS and MMS. Inbound messages of your numbers are set up for you.',
    consoleUrl: 'https://console.twilio.com',
    steps: [
      'Copy the account SID and the auth token: the home page of the Twilio console shows both.',
      'If you send with a messaging service, copy its SID as well: Messaging, Services.',
    ],
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
        hint: 'Begins with MG. It chooses the sender of messages without one.',
        isOptional: true,
      },
    ],
  },
  telnyx: {
    name: 'Telnyx',
    listsNumbers: true,
    about:
      'Sends and receives SMS and MMS. The webhook of your messaging profile is set up for you.',
    consoleUrl: 'https://portal.telnyx.com',
    steps: [
      'Account Settings, Keys & Credentials, API Keys: create a key and copy it.',
      'The tab Public Key on the same page: copy the key. It verifies the webhooks of Telnyx.',
      'Messaging: open your profile, set its webhook API version to 2, and copy the profile ID.',
      'Assign your numbers to the profile.',
    ],
    fields: [
      {
        name: 'api_key',
        label: 'API key',
        hint: 'Telnyx shows it once. Stored encrypted and never shown again.',
        isSecret: true,
      },
      {
        name: 'public_key',
        label: 'Public key',
        hint: 'The tab Public Key. It verifies the webhooks of Telnyx.',
      },
      {
        name: 'messaging_profile_id',
        label: 'Messaging profile ID (optional)',
        hint: 'Messaging, the profile, Profile ID. It is needed for messages without a sender.',
        isOptional: true,
      },
    ],
  },
  vonage: {
    name: 'Vonage',
    listsNumbers: 'api_key',
    about: 'Sends and receives SMS and MMS with the Messages API.',
    consoleUrl: 'https://dashboard.nexmo.com',
    steps: [
      'Settings, API settings: set Default SMS Setting to Messages API, and copy the signature secret.',
      'Applications: create an application with the capability Messages, and copy its application ID.',
      'Generate its public and private key: Vonage offers the file private.key.',
      'Link your numbers to the application.',
    ],
    webhookStep:
      'Applications, your application, Messages: enter both URLs, with version v1 and signed webhooks.',
    fields: [
      { name: 'application_id', label: 'Application ID', hint: 'On the application’s page.' },
      {
        name: 'private_key',
        label: 'Private key',
        hint: 'The file private.key that Vonage offers for the application. Paste its complete content.',
        isSecret: true,
        isLong: true,
      },
      {
        name: 'signature_secret',
        label: 'Signature secret',
        hint: 'Settings, API settings. It verifies the webhooks of Vonage.',
        isSecret: true,
      },
      {
        name: 'api_key',
        label: 'API key (optional)',
        hint: 'Settings, API settings. With the API secret, the numbers of the account can be listed here.',
        isOptional: true,
      },
      {
        name: 'api_secret',
        label: 'API secret (optional)',
        hint: 'It belongs to the whole account at Vonage, beyond this application.',
        isSecret: true,
        isOptional: true,
      },
    ],
  },
  http: {
    name: 'HTTP gateway',
    about: 'A phone with a gateway app, or another gateway with an HTTP API.',
    fields: [],
    forms: { add: GATEWAY_PRESETS, change: GATEWAY_CHANGE },
    summary: ['send.url'],
    webhookStep: 'If the gateway reports received messages and statuses, enter these URLs there.',
    isWithoutEvidence: true,
  },
  smpp: {
    name: 'SMPP',
    about:
      'Any carrier or aggregator with an SMPP 3.4 server. You get the host, the port, the system ID, the password, and the permitted number of binds and window from it.',
    isWithoutEvidence: true,
    keepsSecrets: true,
    fields: [
      { name: 'host', label: 'Host', hint: 'For example smpp.example.com.' },
      { name: 'port', label: 'Port', hint: 'Often 2775.', kind: 'number', min: 1, max: 65_535 },
      {
        name: 'tls',
        label: 'Use TLS',
        hint: 'Without TLS, the password and all texts can be read in transit.',
        kind: 'switch',
        initial: true,
      },
      { name: 'system_id', label: 'System ID', hint: 'The user name of the account.' },
      {
        name: 'password',
        label: 'Password',
        hint: 'Stored encrypted and never shown again.',
        isSecret: true,
      },
      {
        name: 'system_type',
        label: 'System type (optional)',
        hint: 'Most providers do not need it.',
        isOptional: true,
        isAdvanced: true,
      },
      {
        name: 'bind',
        label: 'Bind',
        hint: 'Older servers need two binds.',
        kind: 'choice',
        choices: [
          ['transceiver', 'Transceiver'],
          ['transmitter_receiver', 'Transmitter and receiver'],
        ],
        isAdvanced: true,
      },
      {
        name: 'window',
        label: 'Window',
        hint: 'How many messages may wait for a response on one bind.',
        kind: 'number',
        min: 1,
        max: 500,
        initial: 10,
        isAdvanced: true,
      },
      {
        name: 'max_binds',
        label: 'Number of binds',
        hint: 'How many binds all workers together may have.',
        kind: 'number',
        min: 1,
        max: 10,
        initial: 1,
        isAdvanced: true,
      },
      {
        name: 'long_messages',
        label: 'Long messages',
        hint: 'Most providers accept parts.',
        kind: 'choice',
        choices: [
          ['udh', 'In parts with a header'],
          ['payload', 'As one message (message_payload)'],
        ],
        isAdvanced: true,
      },
      {
        name: 'message_ids',
        label: 'Message identifiers',
        hint: 'Change this if messages are sent but their receipts have no effect.',
        kind: 'choice',
        choices: [
          ['same', 'The same in responses and receipts'],
          ['decimal', 'Decimal, with leading zeros in one of them'],
          ['hex_in_response', 'Hexadecimal in responses, decimal in receipts'],
          ['hex_in_receipt', 'Decimal in responses, hexadecimal in receipts'],
        ],
        isAdvanced: true,
      },
      ...(['source', 'destination'] as const).flatMap((end) => [
        {
          name: `${end}_ton`,
          label: `Type of number of the ${end} (optional)`,
          hint: 'TON, 0 to 6. Without one, it depends on the address.',
          kind: 'number' as const,
          min: 0,
          max: 6,
          isOptional: true as const,
          isAdvanced: true as const,
        },
        {
          name: `${end}_npi`,
          label: `Numbering plan of the ${end} (optional)`,
          hint: 'NPI, 0 to 18. Without one, it depends on the address.',
          kind: 'number' as const,
          min: 0,
          max: 18,
          isOptional: true as const,
          isAdvanced: true as const,
        },
      ]),
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

/** Finds the form of a type; null for a type of a later release. */
export function findVendor(type: string): Vendor | null {
  return Object.entries<Vendor>(VENDORS).find(([name]) => name === type)?.[1] ?? null;
}

/** Whether the numbers of an account can be read. */
export function listsNumbers({ type, credentials }: ProviderAccount): boolean {
  const needed = findVendor(type)?.listsNumbers;
  return typeof needed === 'string' ? credentials[needed] !== undefined : needed === true;
}

/** Whether the service reads and sets where the provider sends the messages to its numbers. */
export function setsInbound(type: string): boolean {
  const vendor = findVendor(type);
  return vendor?.listsNumbers === true && vendor.webhookStep === undefined;
}

/** Returns the name of an account for the user. */
export function nameOf({ name, type }: Pick<ProviderAccount, 'name' | 'type'>): string {
  return name === '' ? (findVendor(type)?.name ?? type) : name;
}
