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
  .meta({ id: 'SandboxCredentials', description: 'None: nothing is sent' });

const telnyx = z
  .object({
    api_key: token(),
    public_key: text()
      .refine((value) => /^[A-Za-z0-9+/]{43}=$/.test(value), {
        error: 'must be the base64 text of 32 bytes, as the Telnyx portal shows it',
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
  })
  .meta({ id: 'VonageCredentials' });

const http = z.looseObject({}).meta({
  id: 'HttpGatewayCredentials',
  description: 'The description of an HTTP gateway, which its adapter checks',
});

/** The credentials of each provider type. */
export const PROVIDER_CREDENTIALS = { twilio, telnyx, vonage, http, sandbox } as const;

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

/** Calls a function whose errors name fields of credentials, and names them as the request does. */
export function withCredentialNames<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = error.message.replaceAll(/`([\w.[\]-]+)`/g, '`credentials.$1`');
    throw new AppError(error.code, detail, { cause: error });
  }
}
