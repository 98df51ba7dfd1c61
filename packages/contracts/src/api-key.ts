import { z } from 'zod';
import { pageOf } from './page.ts';
import { nameUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

export const createApiKeyRequest = z
  .object({ name: nameUpTo(100) })
  .meta({ id: 'CreateApiKeyRequest' });

const fields = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('The key’s first characters, to tell keys apart'),
  last4: z.string(),
  created_at: timestamp,
});

export const apiKey = fields
  .extend({
    last_used_at: timestamp.nullable().describe('Updated at most once a minute'),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

export const apiKeyList = pageOf(apiKey).meta({ id: 'ApiKeyList' });

export const createdApiKey = fields
  .extend({ key: z.string().describe('The full key, shown only in this response') })
  .meta({ id: 'CreatedApiKey' });

export type ApiKey = z.infer<typeof apiKey>;
export type CreatedApiKey = z.infer<typeof createdApiKey>;
