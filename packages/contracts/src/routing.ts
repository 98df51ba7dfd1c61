import { z } from 'zod';
import { phoneNumber } from './text.ts';
import { timestamp } from './timestamp.ts';

const RULES_MAX = 100;
const WEIGHT_MAX = 1_000;

const share = z.object({
  provider_id: z.uuid('must be the `id` of a provider'),
  weight: z
    .int('must be a whole number')
    .min(1, `must be from 1 to ${WEIGHT_MAX}`)
    .max(WEIGHT_MAX, `must be from 1 to ${WEIGHT_MAX}`)
    .describe('The account’s share of the messages, relative to the other weights'),
});

const rule = z.object({
  prefix: z
    .string('must be a string')
    .refine((value) => value === '' || /^\+\d{1,15}$/.test(value), {
      error: 'must be empty, or + and 1 to 15 digits',
    })
    .meta({ pattern: String.raw`^(\+\d{1,15})?$`, examples: ['+44'] })
    .describe(
      'The start of the recipient’s number. The longest matching prefix wins; `""` matches every number',
    ),
  providers: z
    .array(share, 'must be a list')
    .min(1, 'must have 1 to 10 entries')
    .max(10, 'must have 1 to 10 entries')
    .refine((list) => new Set(list.map((each) => each.provider_id)).size === list.length, {
      error: 'must not repeat a provider',
    }),
});

export const routing = z
  .object({
    rules: z
      .array(rule, 'must be a list')
      .max(RULES_MAX, `must have at most ${RULES_MAX} entries`)
      .refine((list) => new Set(list.map((each) => each.prefix)).size === list.length, {
        error: 'must not repeat a prefix',
      })
      .describe('Without rules, messages use the account of their sender'),
    failover: z
      .boolean('must be true or false')
      .describe(
        'Whether another account may send a message that its own account has certainly not sent. The other account must have a sender of the same kind and country code',
      ),
  })
  .meta({ id: 'Routing' });

export const previewRoutingRequest = z
  .object({ to: phoneNumber() })
  .meta({ id: 'PreviewRoutingRequest' });

export const routingPreview = z
  .object({
    prefix: z.string().nullable().describe('The prefix of the rule for the recipient, if any'),
    routes: z
      .array(
        z.object({
          provider_id: z.uuid(),
          from: z
            .string()
            .nullable()
            .describe('The sender. Null: the messaging service of the account chooses one'),
          share: z
            .number()
            .describe('The fraction of messages to this number that use this route, from 0 to 1'),
        }),
      )
      .describe(
        'The largest share first. If the shares add up to less than 1, the other messages wait',
      ),
  })
  .meta({ id: 'RoutingPreview' });

export const routingSharesQuery = z.object({
  period: z
    .enum(['hour', 'day'], 'must be hour or day')
    .optional()
    .describe('The last hour, or the last 24 hours. Defaults to `hour`'),
});

export const routingShares = z
  .object({
    since: timestamp,
    is_complete: z
      .boolean()
      .describe('False in a workspace with many messages: only the newest 10,000 were counted'),
    shares: z
      .array(
        z.object({
          provider_id: z.uuid(),
          messages: z.number().describe('Messages that were handed to the account'),
          delivered: z.number().describe('Of these, `delivered` and `read`'),
          failed: z.number().describe('Of these, `failed` and `undelivered`'),
          in_progress: z.number().describe('Of these, the ones without a final status'),
          share: z.number().describe('Their fraction of the messages of all accounts, from 0 to 1'),
        }),
      )
      .describe('Omits accounts that sent no message'),
  })
  .meta({ id: 'RoutingShares' });

export type RoutingShares = z.infer<typeof routingShares>;
export type Routing = z.infer<typeof routing>;
export type RoutingPreview = z.infer<typeof routingPreview>;
