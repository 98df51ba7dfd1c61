import { z } from 'zod';
import { timestamp } from './timestamp.ts';

/** Error codes in a period with their counts, and their counts in the preceding period. */
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
      .describe('The twenty most frequent codes, most frequent first'),
  })
  .meta({ id: 'ErrorCodes' });

export type ErrorCodes = z.infer<typeof errorCodes>;
