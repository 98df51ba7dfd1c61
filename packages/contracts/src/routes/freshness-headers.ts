import { z } from 'zod';

/** Of routes that may be answered from a replica. */
export const freshnessHeaders = z.object({
  'Cache-Control': z
    .string()
    .optional()
    .describe('`no-cache` asks for the state of this moment; without it, it may be a moment old')
    .meta({ examples: ['no-cache'] }),
});
