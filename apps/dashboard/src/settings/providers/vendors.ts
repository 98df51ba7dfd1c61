import type { ProviderAccount } from '@switchboard/contracts';
import * as strings from '#strings/vendors';
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

const SMPP_ENDS = [
  { end: 'source', ton: strings.sourceTon, npi: strings.sourceNpi },
  { end: 'destination', ton: strings.destinationTon, npi: strings.destinationNpi },
] as const;

/** The fields and texts of the form for each type of account. */
export const VENDORS = {
  twilio: {
    name: strings.twilio,
    listsNumbers: true,
    about: strings.twilioAbout,
    consoleUrl: 'https://console.twilio.com',
    steps: [strings.twilioStep1, strings.twilioStep2],
    fields: [
      { name: 'account_sid', label: strings.accountSid, hint: strings.twilioAccountSidHint },
      {
        name: 'auth_token',
        label: strings.authToken,
        hint: strings.secretHint,
        isSecret: true,
      },
      {
        name: 'messaging_service_sid',
        label: strings.messagingServiceSid,
        hint: strings.twilioMessagingServiceSidHint,
        isOptional: true,
      },
    ],
  },
  telnyx: {
    name: strings.telnyx,
    listsNumbers: true,
    about: strings.telnyxAbout,
    consoleUrl: 'https://portal.telnyx.com',
    steps: [strings.telnyxStep1, strings.telnyxStep2, strings.telnyxStep3, strings.telnyxStep4],
    fields: [
      {
        name: 'api_key',
        label: strings.apiKey,
        hint: strings.telnyxApiKeyHint,
        isSecret: true,
      },
      {
        name: 'public_key',
        label: strings.publicKey,
        hint: strings.telnyxPublicKeyHint,
      },
      {
        name: 'messaging_profile_id',
        label: strings.messagingProfileId,
        hint: strings.telnyxMessagingProfileIdHint,
        isOptional: true,
      },
    ],
  },
  vonage: {
    name: strings.vonage,
    listsNumbers: 'api_key',
    about: strings.vonageAbout,
    consoleUrl: 'https://dashboard.nexmo.com',
    steps: [strings.vonageStep1, strings.vonageStep2, strings.vonageStep3, strings.vonageStep4],
    webhookStep: strings.vonageWebhookStep,
    fields: [
      {
        name: 'application_id',
        label: strings.applicationId,
        hint: strings.vonageApplicationIdHint,
      },
      {
        name: 'private_key',
        label: strings.privateKey,
        hint: strings.vonagePrivateKeyHint,
        isSecret: true,
        isLong: true,
      },
      {
        name: 'signature_secret',
        label: strings.signatureSecret,
        hint: strings.vonageSignatureSecretHint,
        isSecret: true,
      },
      {
        name: 'api_key',
        label: strings.optionalApiKey,
        hint: strings.vonageApiKeyHint,
        isOptional: true,
      },
      {
        name: 'api_secret',
        label: strings.apiSecret,
        hint: strings.vonageApiSecretHint,
        isSecret: true,
        isOptional: true,
      },
    ],
  },
  http: {
    name: strings.httpGateway,
    about: strings.httpAbout,
    fields: [],
    forms: { add: GATEWAY_PRESETS, change: GATEWAY_CHANGE },
    summary: ['send.url'],
    webhookStep: strings.httpWebhookStep,
    isWithoutEvidence: true,
  },
  smpp: {
    name: strings.smpp,
    about: strings.smppAbout,
    isWithoutEvidence: true,
    keepsSecrets: true,
    fields: [
      { name: 'host', label: strings.host, hint: strings.smppHostHint },
      {
        name: 'port',
        label: strings.port,
        hint: strings.smppPortHint,
        kind: 'number',
        min: 1,
        max: 65_535,
      },
      {
        name: 'tls',
        label: strings.useTls,
        hint: strings.smppUseTlsHint,
        kind: 'switch',
        initial: true,
      },
      { name: 'system_id', label: strings.systemId, hint: strings.smppSystemIdHint },
      {
        name: 'password',
        label: strings.password,
        hint: strings.secretHint,
        isSecret: true,
      },
      {
        name: 'system_type',
        label: strings.systemType,
        hint: strings.smppSystemTypeHint,
        isOptional: true,
        isAdvanced: true,
      },
      {
        name: 'bind',
        label: strings.bind,
        hint: strings.smppBindHint,
        kind: 'choice',
        choices: [
          ['transceiver', strings.transceiver],
          ['transmitter_receiver', strings.transmitterAndReceiver],
        ],
        isAdvanced: true,
      },
      {
        name: 'window',
        label: strings.window,
        hint: strings.smppWindowHint,
        kind: 'number',
        min: 1,
        max: 500,
        initial: 10,
        isAdvanced: true,
      },
      {
        name: 'max_binds',
        label: strings.numberOfBinds,
        hint: strings.smppNumberOfBindsHint,
        kind: 'number',
        min: 1,
        max: 10,
        initial: 1,
        isAdvanced: true,
      },
      {
        name: 'long_messages',
        label: strings.longMessages,
        hint: strings.smppLongMessagesHint,
        kind: 'choice',
        choices: [
          ['udh', strings.inPartsWithHeader],
          ['payload', strings.asOneMessage],
        ],
        isAdvanced: true,
      },
      {
        name: 'message_ids',
        label: strings.messageIds,
        hint: strings.smppMessageIdsHint,
        kind: 'choice',
        choices: [
          ['same', strings.idsSame],
          ['decimal', strings.idsDecimal],
          ['hex_in_response', strings.idsHexInResponse],
          ['hex_in_receipt', strings.idsHexInReceipt],
        ],
        isAdvanced: true,
      },
      {
        name: 'throttle_codes',
        label: strings.throttleCodes,
        hint: strings.smppThrottleCodesHint,
        isOptional: true,
        isAdvanced: true,
      },
      ...SMPP_ENDS.flatMap(({ end, ton, npi }) => [
        {
          name: `${end}_ton`,
          label: ton,
          hint: strings.smppTonHint,
          kind: 'number' as const,
          min: 0,
          max: 6,
          isOptional: true as const,
          isAdvanced: true as const,
        },
        {
          name: `${end}_npi`,
          label: npi,
          hint: strings.smppNpiHint,
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
    name: strings.sandbox,
    about: strings.sandboxAbout,
    fields: [],
  },
} as const satisfies Record<string, Vendor>;

export type VendorType = keyof typeof VENDORS;

export const VENDOR_TYPES = Object.keys(VENDORS) as VendorType[];

/** Finds the form of a type; null for a type of a later release. */
export function findVendor(type: string): Vendor | null {
  return Object.entries<Vendor>(VENDORS).find(([name]) => name === type)?.[1] ?? null;
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
