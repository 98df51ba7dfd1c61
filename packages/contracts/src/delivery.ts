import { z } from 'zod';
import { timestamp } from './timestamp.ts';

/**
 * The time between two compared periods is a multiple of a week, so that each weekday is compared
 * with the same weekday.
 */
export const COMPARED_AFTER_MS = 7 * 86_400_000;

const counts = z.object({
  sent: z.number().describe('Without scheduled and canceled messages'),
  delivered: z.number(),
  failed: z.number().describe('`failed` and `undelivered`'),
  sent_before: z.number().describe('In the earlier period'),
  delivered_before: z.number(),
  failed_before: z.number(),
});

const parts = (filter: string, value: string, name: string) =>
  z
    .array(
      counts.extend({
        value: z.string().nullable().describe(value),
        name: z.string().nullable().describe(name),
      }),
    )
    .describe(`By the message filter \`${filter}\`: the twenty values with the most sent messages`);

const milliseconds = z.number().nullable();

/** The outcomes of the messages sent in a period, and in an earlier one. */
export const delivery = z
  .object({
    from: timestamp.describe('Inclusive'),
    to: timestamp.describe('Exclusive'),
    from_before: timestamp.describe(
      'The start of the earlier period, which has the same length and starts a whole number of weeks earlier',
    ),
    to_before: timestamp,
    total: counts,
    time_to_delivery: z
      .object({
        median_ms: milliseconds,
        p95_ms: milliseconds,
        median_ms_before: milliseconds,
        p95_ms_before: milliseconds,
      })
      .describe(
        'The time from acceptance, or from the scheduled time, to delivery, accurate to within 2.5 %; null without deliveries',
      ),
    country_code: parts(
      'country_code',
      'The country code of the recipient, without +; null for other recipients',
      'Always null',
    ),
    sender: parts('from', 'The sender; null if it is not known', 'Always null'),
    provider: parts(
      'provider',
      'The id of the account; null before the first attempt, and for removed accounts',
      'The name of the account, or its type; null without an account',
    ),
    sent_by: parts(
      'sent_by',
      'The id of the user or the API key; null for keyword replies and unknown senders',
      'The name of the user or the key',
    ),
  })
  .meta({ id: 'Delivery' });

export type Delivery = z.infer<typeof delivery>;
export type DeliveryPart = Delivery['sender'][number];
