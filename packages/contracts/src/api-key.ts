import { z } from 'zod';
import { pageOf } from './page.ts';
import { nameUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

export const createApiKeyRequest = z.object({ name: nameUpTo(100) });

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The key's first and last characters, to tell keys apart. */
  prefix: z.string(),
  last4: z.string(),
  created_at: timestamp,
  /** To the minute. */
  last_used_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
});

export const apiKeyList = pageOf(apiKey);

/** The only time that `key` is shown. */
export const createdApiKey = apiKey
  .omit({ last_used_at: true, revoked_at: true })
  .extend({ key: z.string() });

export type ApiKey = z.infer<typeof apiKey>;
export type CreatedApiKey = z.infer<typeof createdApiKey>;
