import { z } from 'zod';
import { text } from './text.ts';
import { timestamp } from './timestamp.ts';

const onUnknown = z.enum(['resend', 'fail'], 'must be resend or fail');

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

export const putProviderRequest = z
  .object({
    type: z.literal('twilio', 'must be twilio'),
    account_sid: sid('AC'),
    auth_token: text()
      .refine((value) => /^[\x21-\x7e]{1,256}$/.test(value), {
        error: 'must have 1 to 256 printable ASCII characters, without spaces',
      })
      .meta({ pattern: String.raw`^[\x21-\x7e]{1,256}$` }),
    messaging_service_sid: sid('MG').nullish(),
    on_unknown: onUnknown
      .optional()
      .describe(
        'What happens to a message with an unresolved outcome: `resend` (the default) sends it once more after verification, `fail` fails it',
      ),
  })
  .meta({ id: 'PutProviderRequest' });

export const provider = z
  .object({
    type: z.string(),
    account_sid: z.string(),
    auth_token_last4: z.string().describe('The token itself is never shown'),
    messaging_service_sid: z.string().nullable(),
    on_unknown: onUnknown,
    status: z
      .enum(['ok', 'credentials_refused', 'failing'])
      .describe(
        '`credentials_refused`: nothing is sent before an owner sets good credentials. ' +
          '`failing`: the provider does not answer sends; messages wait and are sent when it answers again',
      ),
    status_since: timestamp
      .nullable()
      .describe('When the status changed from `ok`; null if it is `ok`'),
    status_detail: z.string().nullable().describe('The latest error message of the provider'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Provider' });

export const verifyProviderAnswer = z
  .object({ ok: z.boolean(), detail: z.string() })
  .meta({ id: 'VerifyProviderAnswer' });

export type Provider = z.infer<typeof provider>;
