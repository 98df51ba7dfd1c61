import { z } from 'zod';
import { timestamp } from './timestamp.ts';

/** What went wrong in a span of time, and how often in the span of the same length before it. */
export const errorCodes = z
  .object({
    from: timestamp.describe('Inclusive'),
    to: timestamp.describe('Exclusive'),
    data: z
      .array(
        z.object({
          error_code: z.string(),
          count: z.number(),
          count_before: z.number(),
        }),
      )
      .describe('The twenty most frequent, most frequent first'),
  })
  .meta({ id: 'ErrorCodes' });

export type ErrorCodes = z.infer<typeof errorCodes>;
