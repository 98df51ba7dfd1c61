import { AppError } from '@switchboard/core';
import { z } from 'zod';
import { parseBody } from './parse-request.ts';
import { text } from './text.ts';

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

const twilio = z
  .object({
    account_sid: sid('AC'),
    auth_token: text()
      .refine((value) => /^[\x21-\x7e]{1,256}$/.test(value), {
        error: 'must have 1 to 256 printable ASCII characters, without spaces',
      })
      .meta({ pattern: String.raw`^[\x21-\x7e]{1,256}$` }),
    messaging_service_sid: sid('MG').nullish(),
  })
  .meta({ id: 'TwilioCredentials' });

const sandbox = z
  .object({})
  .meta({ id: 'SandboxCredentials', description: 'None: nothing is sent' });

/** The credentials of each provider type. */
export const PROVIDER_CREDENTIALS = { twilio, sandbox } as const;

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
  try {
    return parseBody(schema as z.ZodObject, given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = error.message.replaceAll(/`(\w+)`/g, '`credentials.$1`');
    throw new AppError(error.code, detail, { cause: error });
  }
}
