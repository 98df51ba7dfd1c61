import { z } from 'zod';
import { text } from './text.ts';
import { timestamp } from './timestamp.ts';

const onUnknown = z.enum(['resend', 'fail'], 'must be resend or fail');

export const putProviderRequest = z.object({
  type: z.literal('twilio', 'must be twilio'),
  account_sid: text().refine((value) => /^AC[0-9a-fA-F]{32}$/.test(value), {
    error: 'must be AC and 32 hexadecimal digits',
  }),
  auth_token: text().refine((value) => /^[\x21-\x7e]{1,256}$/.test(value), {
    error: 'must have 1 to 256 printable ASCII characters, without spaces',
  }),
  messaging_service_sid: text()
    .refine((value) => /^MG[0-9a-fA-F]{32}$/.test(value), {
      error: 'must be MG and 32 hexadecimal digits',
    })
    .nullish(),
  /** What an unresolved outcome does; one verified resend unless said. */
  on_unknown: onUnknown.optional(),
});

/** The token itself is never told. */
export const provider = z.object({
  type: z.string(),
  account_sid: z.string(),
  auth_token_last4: z.string(),
  messaging_service_sid: z.string().nullable(),
  on_unknown: onUnknown,
  /** `credentials_refused`: nothing is sent before the owner sets good credentials. */
  status: z.enum(['ok', 'credentials_refused']),
  /** Since when they are refused, and the provider's words; null while all is well. */
  status_since: timestamp.nullable(),
  status_detail: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const verifyProviderAnswer = z.object({ ok: z.boolean(), detail: z.string() });

export type Provider = z.infer<typeof provider>;
