import { VENDORS } from '@switchboard/providers/vendors';
import { z } from 'zod';
import { timestamp } from './timestamp.ts';

export const onUnknown = z.enum(['resend', 'fail'], 'must be resend or fail');

export const putProviderRequest = z
  .object({
    type: z.literal('twilio', 'must be twilio'),
    ...VENDORS.twilio.credentials.shape,
    on_unknown: onUnknown
      .optional()
      .describe(
        'What happens to a message with an unresolved outcome: `resend` (the default) sends it once more after verification, `fail` marks it as failed',
      ),
  })
  .meta({ id: 'PutProviderRequest' });

export const providerState = {
  status: z
    .enum(['ok', 'credentials_refused', 'failing', 'disabled'])
    .describe(
      '`credentials_refused`: nothing is sent until an owner sets valid credentials. ' +
        '`failing`: the provider does not respond to sends; messages wait, or use another account, and are sent when it responds again. ' +
        '`disabled`: an owner has switched the account off',
    ),
  status_since: timestamp
    .nullable()
    .describe('When the status changed from `ok`; null if it is `ok` or `disabled`'),
  status_detail: z
    .string()
    .nullable()
    .describe(
      'The latest error message of the provider. With `ok`: what the account delivered in the last 72 hours and the service did not understand, for example delivery receipts that match no message; null for nothing',
    ),
};

export const provider = z
  .object({
    type: z.string(),
    account_sid: z.string(),
    auth_token_last4: z.string().describe('The token itself is never shown'),
    messaging_service_sid: z.string().nullable(),
    on_unknown: onUnknown,
    ...providerState,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Provider' });

export const verifyProviderResponse = z
  .object({ ok: z.boolean(), detail: z.string() })
  .meta({ id: 'VerifyProviderAnswer' });

export type Provider = z.infer<typeof provider>;
