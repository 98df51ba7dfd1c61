import { z } from 'zod';
import { pageOf } from './page.ts';
import { nameUpTo, phoneNumber } from './text.ts';
import { timestamp } from './timestamp.ts';

/** The reason that is stored if a user opts a number out without giving one. */
export const MANUAL_OPT_OUT = 'manual';

export const addOptOutRequest = z
  .object({ number: phoneNumber(), reason: nameUpTo(200).optional() })
  .meta({ id: 'AddOptOutRequest' });

export const optOut = z
  .object({
    number: z.string().describe('`erased` if the person was erased'),
    reason: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'OptOut' });

export const optOutList = pageOf(optOut).meta({ id: 'OptOutList' });

export type OptOut = z.infer<typeof optOut>;
