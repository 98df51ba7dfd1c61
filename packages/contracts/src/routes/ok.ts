import { z } from 'zod';

/** What a change without a record to show is answered. */
export const ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' });

export const OK = { ok: true } as const;
