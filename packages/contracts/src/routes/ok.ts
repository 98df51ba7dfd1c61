import { z } from 'zod';

/** The response to a change that returns no object. */
export const ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' });

export const OK = { ok: true } as const;
