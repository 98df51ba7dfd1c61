import { AppError } from '@switchboard/core';
import { z } from 'zod';
import { parseBody } from './parse-request.ts';
import { text, textUpTo } from './text.ts';

const SID_DIGITS = '[0-9a-fA-F]{32}';

/** Twilio SIDs: two letters for the kind of resource, and 32 hexadecimal digits. */
const sid = (kind: string) => {
  const pattern = `^${kind}${SID_DIGITS}$`;
  return text()
    .refine((value) => new RegExp(pattern).test(value), {
      error: `must be ${kind} and 32 hexadecimal digits`,
    })
    .meta({ pattern });
};

/** A secret without spaces, as the provider shows it. */
const token = () =>
  text()
    .refine((value) => /^[\x21-\x7e]{1,256}$/.test(value), {
      error: 'must have 1 to 256 printable ASCII characters, without spaces',
    })
    .meta({ pattern: String.raw`^[\x21-\x7e]{1,256}$` });

const twilio = z
  .object({
    account_sid: sid('AC'),
    auth_token: token(),
    messaging_service_sid: sid('MG').nullish(),
  })
  .meta({ id: 'TwilioCredentials' });

const sandbox = z
  .object({})
  .meta({ id: 'SandboxCredentials', description: 'No credentials: the sandbox sends nothing' });

const telnyx = z
  .object({
    api_key: token(),
    public_key: text()
      .refine((value) => /^[A-Za-z0-9+/]{43}=$/.test(value), {
        error: 'must be 32 bytes in base64, as shown in the Telnyx portal',
      })
      .meta({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    messaging_profile_id: z.uuid('must be a UUID').nullish(),
  })
  .meta({ id: 'TelnyxCredentials' });

const vonage = z
  .object({
    application_id: z.uuid('must be a UUID'),
    private_key: textUpTo(8_192).describe(
      'The file `private.key` of the application, in PEM format',
    ),
    signature_secret: token(),
    api_key: token()
      .nullish()
      .describe('The key of the whole account. With `api_secret`, its numbers can be listed'),
    api_secret: token().nullish().describe('Used together with `api_key`'),
  })
  .meta({ id: 'VonageCredentials' });

const http = z.looseObject({}).meta({
  id: 'HttpGatewayCredentials',
  description: 'The description of an HTTP gateway, which its adapter checks',
});

/** Printable ASCII characters. */
const asciiUpTo = (characters: number) => {
  const pattern = String.raw`^[\x20-\x7e]{1,${characters}}$`;
  return text()
    .refine((value) => new RegExp(pattern).test(value), {
      error: `must have 1 to ${characters} printable ASCII characters`,
    })
    .meta({ pattern });
};

const integer = (min: number, max: number) => {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, `must be one of ${choices.join(', ')}`);

/** Type of number and numbering plan indicator, sections 5.2.5 and 5.2.6 of SMPP 3.4. */
const TON = integer(0, 6).nullish();
const NPI = integer(0, 18).nullish();

/** Values of `command_status`, separated by commas. */
const ERROR_CODE = '(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})';
const ERROR_CODES = `^ *${ERROR_CODE}([ ,]+${ERROR_CODE}){0,19} *$`;

const smpp = z
  .object({
    host: textUpTo(255).describe('The host name or the IP address of the SMSC'),
    port: integer(1, 65_535),
    tls: z.boolean('must be true or false'),
    system_id: asciiUpTo(15),
    password: asciiUpTo(32),
    system_type: asciiUpTo(12).nullish(),
    bind: choice(['transceiver', 'transmitter_receiver'])
      .nullish()
      .describe('`transceiver` by default'),
    window: integer(1, 500)
      .nullish()
      .describe('How many messages may wait for a response on one bind. 10 by default'),
    max_binds: integer(1, 10)
      .nullish()
      .describe(
        'How many binds all workers together may have, in pairs with `transmitter_receiver`. 1 by default',
      ),
    long_messages: choice(['udh', 'payload'])
      .nullish()
      .describe('`udh`, the default: several parts with a header. `payload`: `message_payload`'),
    message_ids: choice(['same', 'decimal', 'hex_in_response', 'hex_in_receipt'])
      .nullish()
      .describe('How the SMSC writes message ids in responses and receipts. `same` by default'),
    throttle_codes: text()
      .refine((value) => new RegExp(ERROR_CODES).test(value), {
        error: 'must be at most 20 error codes, separated by commas, for example 0x0403, 0x0404',
      })
      .meta({ pattern: ERROR_CODES })
      .nullish()
      .describe(
        'Further errors with which the SMSC refuses a message for the moment, in hexadecimal or decimal. The message is sent again',
      ),
    source_ton: TON,
    source_npi: NPI,
    destination_ton: TON,
    destination_npi: NPI,
  })
  .meta({ id: 'SmppCredentials' });

/** The credentials of each provider type. */
export const PROVIDER_CREDENTIALS = { twilio, telnyx, vonage, http, smpp, sandbox } as const;

export type ProviderType = keyof typeof PROVIDER_CREDENTIALS;

export const PROVIDER_TYPES = Object.keys(PROVIDER_CREDENTIALS) as [
  ProviderType,
  ...ProviderType[],
];

/**
 * Parses the credentials of a provider type.
 *
 * @throws AppError that names the field as the request does, for example `credentials.auth_token`
 */
export function parseProviderCredentials(type: string, given: object): Record<string, unknown> {
  const [, schema] = Object.entries(PROVIDER_CREDENTIALS).find(([name]) => name === type) ?? [];
  if (schema === undefined) return { ...given };
  return withCredentialNames(() => parseBody(schema as z.ZodObject, given));
}

/**
 * Calls a function, and adds `credentials.` to the field names in its errors, as in the request.
 */
export function withCredentialNames<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = error.message.replaceAll(/`([\w.[\]-]+)`/g, '`credentials.$1`');
    throw new AppError(error.code, detail, { cause: error });
  }
}
