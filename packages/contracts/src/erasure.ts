import { z } from 'zod';
import { pageOf } from './page.ts';
import { timestamp } from './timestamp.ts';

/** Stands in messages and opt-outs where the number of an erased person was. */
export { ERASED } from '@switchboard/core';

export const erasure = z
  .object({
    id: z.uuid(),
    state: z
      .enum(['erasing', 'redacting', 'finished'])
      .describe(
        '`erasing`: data of the person is still here. `redacting`: nothing is left here, and copies at providers are ' +
          'being removed',
      ),
    requested_at: timestamp,
    erased_at: timestamp.nullable().describe('When nothing of the person was left here'),
    messages: z.object({
      total: z.number().describe('The messages of the person at the request'),
      erased: z.number(),
      canceled: z.number().describe('Messages that were scheduled or queued, and are not sent'),
      waiting: z
        .number()
        .describe(
          'Messages that the provider may have, but whose outcome is not known yet. They are erased when it is',
        ),
    }),
    provider_copies: z
      .object({
        pending: z.number(),
        removed: z.number(),
        failed: z.number().describe('The provider did not remove the text in four days'),
        kept: z
          .number()
          .describe(
            'The provider has no way to remove a text, or its account was removed here: ask the provider',
          ),
      })
      .describe('The texts and media of the messages at the providers'),
  })
  .meta({ id: 'Erasure' });

export const erasureList = pageOf(erasure).meta({ id: 'ErasureList' });

export type Erasure = z.infer<typeof erasure>;
