import { z } from 'zod';
import { pageOf } from './page.ts';
import { PROVIDER_TYPES, describeAllCredentials } from './provider-credentials.ts';
import { onUnknown, providerState } from './provider.ts';
import { country, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const flag = z.boolean('must be true or false');

const credentials = z
  .record(z.string(), z.unknown(), 'must be an object')
  .describe(describeAllCredentials())
  .meta({ examples: [{}] });

const changes = {
  name: textUpTo(100).optional(),
  on_unknown: onUnknown
    .optional()
    .describe(
      'What happens to a message with an unresolved outcome: `resend` sends it once more after verification, `fail` marks it as failed. A provider that offers no evidence of a send cannot verify anything: then the default is `fail`, and with `resend` the recipient may receive the message twice. Otherwise the default is `resend`',
    ),
  enabled: flag
    .optional()
    .describe(
      'Whether messages are sent through the account. Defaults to true. If false, the account still receives messages and reports statuses',
    ),
  country: country()
    .nullish()
    .describe(
      'How national numbers that the provider reports are read. Null, the default: the country of the workspace or, if it has none, of the account’s own numbers',
    ),
};

export const addProviderRequest = z
  .object({
    type: z.enum(PROVIDER_TYPES, `must be one of ${PROVIDER_TYPES.join(', ')}`),
    credentials,
    ...changes,
  })
  .meta({ id: 'AddProviderRequest' });

export const changeProviderRequest = z
  .object({
    credentials: credentials.optional(),
    ...changes,
    is_default: z
      .literal(true, 'must be true')
      .optional()
      .describe(
        'Makes the account the default. To change the default, make another account the default',
      ),
  })
  .meta({ id: 'ChangeProviderRequest' });

export const providerAccount = z
  .object({
    id: z.uuid(),
    type: z.string(),
    name: z.string(),
    credentials: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('Without secrets: `auth_token_last4` is the end of `auth_token`'),
    on_unknown: onUnknown,
    enabled: z.boolean(),
    country: z.string().nullable().describe('Null: the country of the workspace applies'),
    is_default: z
      .boolean()
      .describe('Exactly one account is the default. `/provider` is a shorthand for it'),
    ...providerState,
    evidence: z
      .object({
        idempotency_key: z.boolean().describe('The provider ignores a repeated send'),
        reference_in_callback: z.boolean().describe('A status callback identifies the message'),
        look_up: z
          .enum(['by_reference', 'by_content', 'none'])
          .describe(
            'How the service finds a message whose outcome is unknown. Only a lookup by reference lets another account send the message',
          ),
      })
      .describe('What the provider can prove about a send'),
    webhook_urls: z
      .object({ inbound: z.string(), status: z.string() })
      .nullable()
      .describe(
        'The webhook URLs of the account, to enter in the provider’s console if it requires that; null if the provider calls no webhooks',
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ProviderAccount' });

export const providerAccountList = pageOf(providerAccount).meta({ id: 'ProviderAccountList' });

export type ProviderAccount = z.infer<typeof providerAccount>;
